import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Executor } from '../../../src/execute/executor.ts'
import { openExecutor } from '../../../src/execute/registry.ts'
import type { Setting } from '../../../src/perform/perform.ts'
import { noSlurm, startSlurm, type TestCluster } from '../../support/slurm.ts'
import { executorContract } from '../executor-contract.ts'

const program = fileURLToPath(new URL('../../../bin/assay.mjs', import.meta.url))
const missing = noSlurm()

describe.skipIf(missing !== null)(`on Slurm${missing === null ? '' : `: ${missing}`}`, () => {
  let cluster: TestCluster | undefined
  const before = process.env.SLURM_CONF
  beforeAll(async () => {
    cluster = await startSlurm()
    process.env.SLURM_CONF = cluster.env.SLURM_CONF
  })
  afterAll(async () => {
    if (before === undefined) delete process.env.SLURM_CONF
    else process.env.SLURM_CONF = before
    await cluster?.stop()
  })
  executorContract('slurm', onSlurm)
})

/** Tasks start the built tool: `npm run build` first. */
function onSlurm(setting: Setting, slots: number): Promise<Executor> {
  const slurm = { sbatch: [], before: [], command: [process.execPath, program] }
  return openExecutor('slurm', setting, { slots, areSlotsGiven: true, slurm, cwd: setting.experiment.folder })
}
