import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, fastest, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const factors = `
name: million
target: { kind: command, command: [/bin/true, "--policy", "{policy}", "--rate", "{rate}"] }
factors:
  policy: [a, b, c, d]
  rate: 1..25
  size: 1..20
  depth: 1..5
seeds: 1..100
`
const constrained = `${factors.replace('depth: 1..5', 'depth: { values: [1, 2, 3, 4, 5, 6], when: "size > 3" }')}
constraints: ["rate + size > 2"]
`

const mostSeconds = 2.5

/** The whole plan as JSON lines, in interleaved order: every run with its name, parameters and command. */
export const planBench: Bench = {
  name: 'plan',
  run: () =>
    inTemporaryFolder(async folder => {
      const row = async (work: string, text: string): Promise<Row> => {
        const file = join(folder, 'plan.yaml')
        writeFileSync(file, text)
        const argv = [process.execPath, assay, 'plan', file, '--json']
        const once = () => measure(argv, { cwd: folder })
        const { seconds, cpuSeconds, megabytes } = await fastest(once, measured => measured.seconds < mostSeconds)
        return {
          work,
          result: `${seconds.toFixed(2)} s (${cpuSeconds.toFixed(2)} s of CPU), ${megabytes === null ? '? ' : Math.round(megabytes)} MB`,
          mustReach: '< 2.5 s, < 300 MB',
          isReached: seconds < mostSeconds && (megabytes ?? 0) < 300,
        }
      }
      return [
        await row('plan 1,000,000 runs, streamed as JSON', factors),
        await row('… with a condition and a constraint', constrained),
      ]
    }),
}
