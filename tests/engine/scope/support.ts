import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, type Ended, folderWith, summaryOf } from '../../support/assay.ts'

/** Sixty runs: two methods, three sizes, ten seeds; large sizes differ most. */
export const sorting = ({
  sizes = '[10, 100, 1000]',
  seeds = '1..10',
  target = 'work.mjs',
  more = '',
} = {}): string => `
name: sorting
target: { kind: function, module: ${target} }
factors: { method: [builtin, insertion], size: ${sizes} }
seeds: ${seeds}
metrics: { comparisons: { goal: minimize, primary: true } }
analysis: { baseline: { method: builtin } }
${more}`

const work = `export default ({ method, size }, { seed }) => ({
  comparisons: size * (method === 'builtin' ? 3 : size / 4) + (seed % 7) + (method === 'builtin' ? seed % 3 : 0),
})
`

export interface Sorting {
  readonly cwd: string
  readonly dir: string
  run(...args: readonly string[]): Promise<Ended>
  status(): Promise<Record<string, unknown>>
  /** How many pairs, of how many runs, a comparison found; how many runs it missed. */
  compared(...args: readonly string[]): Promise<{ pairs: number; runs: number; not_run: number | null }>
  /** The headline of a report. */
  reported(...args: readonly string[]): Promise<{ headline: string; badges: readonly string[]; runs: number }>
  /** Another definition from now on. */
  redefine(text: string): void
}

export function sortingIn(text = sorting()): Sorting {
  const cwd = folderWith({ 'experiment.yaml': text, 'work.mjs': work, 'other.mjs': work })
  const dir = join(cwd, 'results/sorting')
  return {
    cwd,
    dir,
    run: (...args) => assay(['run', '--json', ...args], { cwd }),
    status: async () => summaryOf(await assay(['status', dir, '--json'], { cwd })),
    redefine: changed => writeFileSync(join(cwd, 'experiment.yaml'), changed),
    compared: (...args) => comparedIn(cwd, args.length === 0 ? [dir] : args),
    reported: async (...args) => {
      const ended = await assay(['report', dir, '--format', 'json', '--output', '-', ...args], { cwd })
      const { headline, badges, experiments } = JSON.parse(ended.stdout)
      return {
        headline,
        badges: badges.map(({ text: said, tone }: { text: string; tone: string }) => `${tone}: ${said}`),
        runs: experiments[0].standing.planned,
      }
    },
  }
}

export async function comparedIn(cwd: string, args: readonly string[]) {
  const ended = await assay(['compare', ...args, '--json'], { cwd })
  const { n, missing, provenance } = JSON.parse(ended.stdout)
  const runs = provenance.sources.reduce((sum: number, source: { runs: number }) => sum + source.runs, 0)
  return { pairs: n.pairs, runs, not_run: missing.not_run }
}
