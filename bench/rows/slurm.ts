import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { noSlurm, startSlurm } from '../../tests/support/slurm.ts'
import { assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench } from '../row.ts'

const runs = 1_000

/** A real Slurm on this host: two nodes of two CPUs each. */
export const slurmBench: Bench = {
  name: 'slurm',
  async run() {
    if (noSlurm() !== null) return []
    const cluster = await startSlurm()
    const before = process.env.SLURM_CONF
    process.env.SLURM_CONF = cluster.env.SLURM_CONF
    try {
      const { seconds } = await inTemporaryFolder(folder => {
        writeFileSync(join(folder, 'noop.mjs'), 'export default () => ({ score: 1 })\n')
        const text = `name: noop\ntarget: { kind: function, module: noop.mjs }\nseeds: 1..${runs}\n`
        writeFileSync(join(folder, 'experiment.yaml'), text)
        return measure([process.execPath, assay, 'run', '-q', '--executor', 'slurm'], { cwd: folder })
      })
      return [
        {
          work: `${runs} no-op runs through Slurm, two nodes on this machine`,
          result: `${seconds.toFixed(1)} s with start and end`,
          mustReach: '< 30 s',
          isReached: seconds < 30,
        },
      ]
    } finally {
      if (before === undefined) delete process.env.SLURM_CONF
      else process.env.SLURM_CONF = before
      await cluster.stop()
    }
  },
}
