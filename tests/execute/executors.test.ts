import { executorNames } from '../../src/execute/executor.ts'
import { openExecutor } from '../../src/execute/registry.ts'
import { childExecutor } from './child-executor.ts'
import { executorContract } from './executor-contract.ts'

for (const name of executorNames) executorContract(name, (setting, slots) => openExecutor(name, setting, slots))

executorContract('in another process', childExecutor)
