import { alternate, assay, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

export const helpBench: Bench = {
  name: 'help',
  async run() {
    const seconds = await alternate(10, {
      empty: async () => (await measure([process.execPath, '-e', '0'])).seconds,
      help: async () => (await measure([process.execPath, assay, '--help'])).seconds,
    })
    const ratio = seconds.help / seconds.empty
    const ms = (s: number) => `${Math.round(s * 1000)} ms`
    return [
      {
        work: '`assay --help`',
        result: `${ms(seconds.help)}, ${ratio.toFixed(2)} × an empty Node program (${ms(seconds.empty)})`,
        mustReach: '≤ 1.6 ×',
        isReached: ratio <= 1.6,
      },
    ]
  },
}
