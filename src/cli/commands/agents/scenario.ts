import type { Io } from '../../io.ts'
import type { Options } from '../../options.ts'

/** `assay scenario run|validate|estimate` */
export async function scenarioCommand(
  [what, folder = '.']: readonly string[],
  options: Options,
  io: Io,
): Promise<number> {
  if (what === 'validate')
    return (await import('../../scenario/validate-scenario.ts')).validateScenario(folder, options, io)
  if (what === 'estimate')
    return (await import('../../scenario/estimate-scenario.ts')).estimateScenario(folder, options, io)
  return (await import('../../scenario/run-scenario.ts')).runScenario(folder, options, io)
}
