import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, fastest, inTemporaryFolder, type Measured, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

const runs = 10_000
const leastPerSecond = 6000

export const functionBench: Bench = {
  name: 'functions',
  run: () =>
    inTemporaryFolder(async folder => {
      writeFileSync(join(folder, 'noop.mjs'), 'export default () => ({ score: 1 })\n')
      writeFileSync(
        join(folder, 'experiment.yaml'),
        `name: noop\ntarget: { kind: function, module: noop.mjs }\nseeds: 1..${runs}\nlimits: { jobs: 2 }\n`,
      )
      const perSecond = ({ seconds }: Measured) => runs / seconds
      let round = 0
      const once = () => {
        round++
        return measure([process.execPath, assay, 'run', '-q', '--out-root', `out-${round}`], { cwd: folder })
      }
      const best = await fastest(once, measured => perSecond(measured) >= leastPerSecond)
      return [
        {
          work: '10,000 no-op function runs',
          result: `${Math.round(perSecond(best))} runs/s (${best.seconds.toFixed(2)} s, ${best.cpuSeconds.toFixed(2)} s of CPU)`,
          mustReach: '≥ 6,000 runs/s',
          isReached: perSecond(best) >= leastPerSecond,
        },
      ]
    }),
}
