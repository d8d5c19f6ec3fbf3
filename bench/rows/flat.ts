import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assay, inTemporaryFolder, type Measured, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

/** Ten times as many runs take the same time each, and no more memory. Takes minutes, so it runs only if named. */
export const flatBench: Bench = {
  name: 'flat',
  isLong: true,
  run: () =>
    inTemporaryFolder(async folder => {
      writeFileSync(join(folder, 'noop.mjs'), 'export default () => ({ score: 1 })\n')
      const measured = async (runs: number): Promise<Measured> => {
        const file = `${runs}.yaml`
        writeFileSync(
          join(folder, file),
          `name: flat-${runs}\ntarget: { kind: function, module: noop.mjs }\nseeds: 1..${runs}\nlimits: { jobs: 2 }\n`,
        )
        return measure([process.execPath, assay, 'run', file, '-q'], { cwd: folder })
      }
      const [fewer, more] = [100_000, 1_000_000] as const
      const before = await measured(fewer)
      const after = await measured(more)
      // By CPU time: wall time on a busy machine says more about the machine.
      const cost = (runs: number, { cpuSeconds }: Measured) => (1e6 * cpuSeconds) / runs
      const slower = cost(more, after) / cost(fewer, before)
      const speed = (runs: number, measured: Measured) =>
        `${Math.round(cost(runs, measured))} µs of CPU a run (${Math.round(runs / measured.seconds)} runs/s)`
      const memory = ({ megabytes }: Measured) => (megabytes === null ? '? MB' : `${Math.round(megabytes)} MB`)
      const larger = (after.megabytes ?? Number.NaN) / (before.megabytes ?? Number.NaN)
      return [
        {
          work: '1,000,000 no-op function runs against 100,000',
          result: `${speed(more, after)} against ${speed(fewer, before)}, ${slower.toFixed(2)} ×`,
          mustReach: '≤ 1.2 ×',
          isReached: slower <= 1.2,
        },
        {
          work: '… peak memory',
          result: `${memory(after)} against ${memory(before)}, ${larger.toFixed(2)} ×`,
          mustReach: '≤ 1.2 ×, < 400 MB',
          isReached: after.megabytes === null ? null : larger <= 1.2 && after.megabytes < 400,
        },
      ]
    }),
}
