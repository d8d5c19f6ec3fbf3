import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, fastest, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

/** The cost of reusing: the same command again, with its table, when all runs are finished. */
export const finishedBench: Bench = {
  name: 'finished',
  run: () =>
    inTemporaryFolder(async folder => {
      writeFileSync(join(folder, 'noop.mjs'), 'export default ({ x }) => ({ score: x, other: 2 * x })\n')
      const experiment = (name: string, seeds: number) =>
        `name: ${name}\ntarget: { kind: function, module: noop.mjs }\nfactors: { x: 1..10 }\nseeds: 1..${seeds}\nlimits: { jobs: 2 }\n`
      writeFileSync(join(folder, 'large.yaml'), experiment('large', 10_000))
      writeFileSync(join(folder, 'small.yaml'), experiment('small', 1_000))
      const run = (...args: readonly string[]) => measure([process.execPath, assay, ...args], { cwd: folder })
      await run('run', 'large.yaml', '-q')
      await run('run', 'small.yaml', '-q')
      const again = await fastest(
        () => run('run', 'large.yaml', '-q'),
        ({ seconds }) => seconds < 0.5,
      )
      const collected = await fastest(
        () => run('collect', 'results/small'),
        ({ seconds }) => seconds < 2,
      )
      return [
        {
          work: 'the same `run` line with 100,000 finished runs',
          result: `${again.seconds.toFixed(2)} s`,
          mustReach: '< 0.5 s',
          isReached: again.seconds < 0.5,
        },
        {
          work: '`collect` of 10,000 runs',
          result: `${collected.seconds.toFixed(2)} s`,
          mustReach: '< 2 s',
          isReached: collected.seconds < 2,
        },
      ]
    }),
}
