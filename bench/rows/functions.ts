import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

const runs = 10_000

export const functionBench: Bench = {
  name: 'functions',
  run: () =>
    inTemporaryFolder(async folder => {
      writeFileSync(join(folder, 'noop.mjs'), 'export default () => ({ score: 1 })\n')
      writeFileSync(
        join(folder, 'experiment.yaml'),
        `name: noop\ntarget: { kind: function, module: noop.mjs }\nseeds: 1..${runs}\nlimits: { jobs: 2 }\n`,
      )
      const { seconds, cpuSeconds } = await measure([process.execPath, assay, 'run', '-q'], { cwd: folder })
      const perSecond = runs / seconds
      return [
        {
          work: '10,000 no-op function runs',
          result: `${Math.round(perSecond)} runs/s (${seconds.toFixed(2)} s, ${cpuSeconds.toFixed(2)} s of CPU)`,
          mustReach: '≥ 6,000 runs/s',
          isReached: perSecond >= 6000,
        },
      ]
    }),
}
