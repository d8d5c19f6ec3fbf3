import type { Block, Experiment } from '../../define/experiment.ts'
import { plannerFor } from '../../plan/plan.ts'
import { type Planner, type PlannerOptions, plannedRuns } from '../../plan/planner.ts'
import { ownDefinitionOf, readExperiment } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { endedRuns, keptRuns, seedsInDefinition, stillWanted } from '../../record/runs/offer.ts'
import { canonicalJson, isAscending, type Json } from '../../util/json.ts'

/**
 * The experiment with all its seeds: those of its own definition and those that this call requests. `--seeds` selects
 * what a call runs; it is no reason to forget the seeds of the file.
 */
export function withOwnSeeds(experiment: Experiment, own: Experiment): Experiment {
  const asked = seedBlock(experiment)
  const written = seedBlock(own)
  if (asked === undefined || written === undefined) return experiment
  const isWritten = isAmong(written.levels)
  const more = asked.levels.filter(level => !isWritten(level))
  if (written.levels.length + more.length === asked.levels.length) return experiment
  return withSeeds(experiment, [...written.levels, ...more])
}

/** The runs of the journal that a planner without any selection counts as its own, in its order. */
export function existingRuns(journal: Journal, planner: Planner): readonly number[] {
  if (planner.keeps !== undefined) return keptRuns(journal, planner.keeps).map(({ id }) => id)
  return stillWanted(journal, keysOf(planner))
}

function* keysOf(planner: Planner): Generator<string> {
  for (const { key } of plannedRuns(planner)) yield key
}

/**
 * Runs of `whole` with seeds that are in no definition: earlier calls requested them with `--seeds`. Ended runs still
 * count; the others are no longer wanted.
 */
export function runsWithMoreSeeds(journal: Journal, whole: Experiment, options: PlannerOptions): readonly number[] {
  const row = readExperiment(journal)
  const present = seedBlock(whole)
  if (row === undefined || row.generation === 0 || present === undefined) return []
  const before = seedBlock(ownDefinitionOf(journal, row))
  const isPresent = isAmong(present.levels)
  const wasThere = isAmong(before?.levels ?? [])
  const more = seedsInDefinition(journal).filter(seed => !isPresent(seed) && !wasThere(seed))
  if (more.length === 0) return []
  return endedRuns(journal, existingRuns(journal, plannerFor(withSeeds(whole, more), options)))
}

const seedBlock = ({ blocks }: Experiment): Block | undefined => blocks.find(({ name }) => name === 'seed')

const withSeeds = (experiment: Experiment, levels: readonly Json[]): Experiment => ({
  ...experiment,
  blocks: experiment.blocks.map(block => (block.name === 'seed' ? { ...block, levels } : block)),
})

function isAmong(levels: readonly Json[]): (level: Json) => boolean {
  if (isAscending(levels)) return level => typeof level === 'number' && levels[placeOf(level, levels)] === level
  const known = new Set(levels.map(canonicalJson))
  return level => known.has(canonicalJson(level))
}

/** The position of a number among ascending ones, or where it would be. */
function placeOf(wanted: number, ascending: readonly number[]): number {
  let [from, to] = [0, ascending.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (Number(ascending[middle]) < wanted) from = middle + 1
    else to = middle
  }
  return from
}
