import { LocalExecutor } from '../../src/execute/local.ts'
import { childExecutor } from './child-executor.ts'
import { executorContract } from './executor-contract.ts'

executorContract('on this machine', (setting, slots) => new LocalExecutor(setting, slots))

executorContract('in another process', childExecutor)
