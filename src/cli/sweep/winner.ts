import { isAbsolute, relative } from 'node:path'
import { dialectNamed } from '../../define/dialects/registry.ts'
import type { Block, Experiment, FixedExperiment, MetricSpec, TargetSpec } from '../../define/experiment.ts'
import { pythonNumber, pythonSpelling, spell } from '../../define/spelling/spelling.ts'
import { directoryName } from '../../record/places.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import type { BestOfSweep } from './best.ts'

/** Fewer say nothing about how much runs differ. */
const fewestRuns = 5

/** The best variant as an experiment of its own, measured as in the search, with seeds that the search did not use. */
export function winnerOf(experiment: Experiment, { name, ranked }: BestOfSweep): FixedExperiment {
  const { ablation, ...params } = ranked.best[0]?.params ?? {}
  const { blocks, replicates, seed } = experiment
  const fresh = withFreshSeeds(blocks)
  return {
    ...experiment,
    name: `${directoryName(name)}-best`,
    description: '',
    target: withRelativeFolder(targetWithSeed(experiment), experiment.folder),
    params: asPassed(params, experiment),
    ablations: experiment.ablations.filter(one => one.name === ablation),
    metrics: experiment.metrics.filter(isFirstOfName).map(metric => asCounted(metric, experiment)),
    blocks: fresh ?? blocks,
    replicates: fresh === null ? Math.max(fewestRuns, replicates) : replicates,
    seed: fresh === null ? seed + 1 : seed,
  }
}

/** In the native dialect, metric names are unique, including `*`. */
export const isFirstOfName = ({ name }: MetricSpec, index: number, all: readonly MetricSpec[]): boolean =>
  all.findIndex(other => other.name === name) === index

/** The value that the search used: the last or the best that a run reported. */
function asCounted(metric: MetricSpec, { search }: Experiment): MetricSpec {
  const goal = metric.goal ?? search?.goal ?? null
  return search?.value === 'best' && search.metric === metric.name && goal !== null
    ? { ...metric, goal, value: 'best' }
    : metric
}

/** A number that only a W&B file can spell this way is written as text, so that the program gets the same argument. */
function asPassed(params: JsonObject, { naming, python }: Experiment): JsonObject {
  const same = (name: string, value: Json): Json => {
    if (typeof value !== 'number') return value
    const word = spell(naming, name, value)
    if (word !== String(value)) return word
    const json = pythonSpelling(name, value, python)
    return json === pythonNumber(value, json) ? value : json
  }
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, same(name, value)]))
}

/** As many seeds as before, but at least five, after the largest one used; null if there are no seeds. */
function withFreshSeeds(blocks: readonly Block[]): readonly Block[] | null {
  const used = blocks.find(({ name }) => name === 'seed')?.levels.filter(level => typeof level === 'number') ?? []
  if (used.length === 0) return null
  const first = Math.max(...used) + 1
  const levels = Array.from({ length: Math.max(fewestRuns, used.length) }, (_, index) => first + index)
  return blocks.map(block => (block.name === 'seed' ? { ...block, levels } : block))
}

/** The file can be moved, together with the files next to it. */
function withRelativeFolder(target: TargetSpec, folder: string): TargetSpec {
  const { kind, cwd } = target
  const isMoved = kind === 'command' && typeof cwd === 'string' && isAbsolute(cwd)
  return isMoved ? { ...target, cwd: relative(folder, cwd) || '.' } : target
}

/** If the seed is a parameter, it is passed like one, which the native dialect must be told. */
function targetWithSeed({ dialect, target }: Experiment): TargetSpec {
  const { kind, command } = target
  const isPassed = dialectNamed(dialect).blocksAreParams && kind === 'command' && Array.isArray(command)
  return isPassed ? { ...target, command: [...command, '--seed', '{seed}'] } : target
}
