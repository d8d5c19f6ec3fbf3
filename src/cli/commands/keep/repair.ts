import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Repaired, repairExperiment } from '../../../engine/repair/repair.ts'
import { asExperimentDirectory, runsFolder } from '../../../record/places.ts'
import { systemClock } from '../../../util/system-clock.ts'
import { counted, dollars } from '../../../util/words.ts'
import { chooseExperiment } from '../../experiment/choose-experiment.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'

/** `assay repair [experiment]` */
export async function repairCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const dir = chosenDirectory(args, options, io)
  const repaired = repairExperiment(dir, systemClock)
  if (options.json) writeJson(io.stdout, { kind: 'repair', dir, ...repaired })
  else writeLines(io.stdout, repairLines(dir, repaired))
  return 0
}

/** A directory without its journal is recognised by its runs. */
function chosenDirectory([named]: readonly string[], options: Options, io: Io): string {
  const path = named === undefined ? undefined : resolve(io.cwd, named)
  if (path === undefined) return chooseExperiment([], options, io).dir
  const existing = asExperimentDirectory(path)
  if (existing !== undefined) return existing
  return existsSync(runsFolder(path)) ? path : chooseExperiment([named ?? ''], options, io).dir
}

function repairLines(dir: string, repaired: Repaired): readonly string[] {
  const { damage, kept, saved, taken_in, without_result, not_taken, has_definition } = repaired
  const isNothing = damage === null && saved.attempts === 0 && taken_in === 0
  return [
    ...(isNothing ? [`${dir}: the journal is sound and has all results: nothing to repair`] : [dir]),
    ...(damage === null ? [] : [`  the journal was damaged: ${damage}`]),
    ...(kept === null ? [] : [`  kept as it was: ${kept}`]),
    ...(damage === null && saved.attempts === 0
      ? []
      : [`  saved from it: ${counted(saved.runs, 'run')}, ${counted(saved.attempts, 'attempt')}`]),
    ...(taken_in === 0
      ? []
      : [`  recovered from results on disk: ${counted(taken_in, 'attempt')}${moneyOf(repaired)}`]),
    ...(repaired.unassigned_usd === 0
      ? []
      : [`  ${dollars(repaired.unassigned_usd)} were spent that no attempt accounts for; they count as spent`]),
    ...(without_result === 0
      ? []
      : [
          `  ${counted(without_result, 'folder')} of runs without a result: interrupted, they run again; their cost is unknown`,
        ]),
    ...repaired.damaged_results.map(
      name =>
        `  damaged: the result of ${name} was changed after it was written: the run is executed again, and its cost is unknown`,
    ),
    ...not_taken.map(name => `  not recovered: ${name}, whose name another run here has`),
    ...(has_definition
      ? []
      : ['  the definition is lost: `assay run -c <experiment file>` restores it, and reuses its runs']),
  ]
}

function moneyOf({ cost_usd, unknown_costs }: Repaired): string {
  const known = cost_usd === 0 ? '' : `, which cost ${dollars(cost_usd)}`
  return unknown_costs === 0 ? known : `${known}; the cost of ${unknown_costs} of them is not known`
}
