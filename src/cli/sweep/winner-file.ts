import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Document, visit } from 'yaml'
import { type FixedExperiment, nativeForm } from '../../define/dialects/native-form.ts'
import type { Block, Experiment, MetricSpec, PythonValues, TargetSpec } from '../../define/experiment.ts'
import { experimentFrom } from '../../define/load-experiment.ts'
import { directoryName } from '../../record/directory/experiment-directory.ts'
import { targets } from '../../targets/registry.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { BestOfSweep } from './best.ts'
import { paramsText, resultText } from './found-best.ts'

/** Fewer say nothing about how much runs differ. */
const fewestRuns = 5

/** Writes the winner as an experiment of its own, in the native dialect, to be run with seeds that the search did not see. */
export function writeWinner(file: string, experiment: Experiment, found: BestOfSweep, isForced: boolean): string {
  const winner = winnerOf(experiment, found)
  const form = nativeForm(winner)
  refuseWrongPlace(file, experiment, isForced)
  refuseUnlike(form, winner)
  try {
    writeFileSync(file, fileText(form, experiment, found))
  } catch (error) {
    throw new AssayError('cannot_write', `can't write ${file}: ${messageOf(error)}`, { cause: error })
  }
  return file
}

function refuseWrongPlace(file: string, { folder }: Experiment, isForced: boolean): void {
  if (dirname(file) !== folder)
    throw new AssayError('usage', `the winner's file must lie in ${folder}: paths in it start there`, {
      hint: `--write ${relative(process.cwd(), join(folder, 'best.yaml'))}`,
    })
  if (existsSync(file) && !isForced)
    throw new AssayError('usage', `${file} is there already`, { hint: 'Choose another name, or add --force.' })
}

/** What is read back must be what was meant: a dialect may say more than the native one can. */
function refuseUnlike(form: JsonObject, winner: FixedExperiment): void {
  const { folder } = winner
  const read = readBack(form, folder)
  const parts = ['target', 'params', 'blocks', 'limits', 'models', 'metrics', 'outputs', 'hooks'] as const
  const textOf = (part: unknown): string => canonicalJson(JSON.parse(JSON.stringify(part ?? null)) as Json)
  const unlike = parts.filter(part => textOf(read[part]) !== textOf(winner[part]))
  if (unlike.length > 0)
    throw new AssayError(
      'usage',
      `the winner can't be written in the native dialect: its ${unlike.join(', its ')} would differ`,
      {
        hint: 'Fix its parameters in the original file instead: `assay sweep best` shows them.',
      },
    )
}

function readBack(form: JsonObject, folder: string): Experiment {
  try {
    return experimentFrom(form, { targets, cwd: folder, folder })
  } catch (error) {
    throw new AssayError('usage', `the winner can't be written as an experiment: ${messageOf(error)}`, { cause: error })
  }
}

function winnerOf(experiment: Experiment, { name, ranked }: BestOfSweep): FixedExperiment {
  const { ablation, ...params } = ranked.best[0]?.params ?? {}
  const { blocks, replicates, seed } = experiment
  const fresh = withFreshSeeds(blocks)
  return {
    ...experiment,
    name: `${directoryName(name)}-best`,
    description: '',
    target: targetWithSeed(experiment),
    params: nested(params, experiment.python?.nested ?? {}),
    ablations: experiment.ablations.filter(one => one.name === ablation),
    metrics: experiment.metrics.filter(isFirstOfName),
    blocks: fresh ?? blocks,
    replicates: fresh === null ? Math.max(fewestRuns, replicates) : replicates,
    seed: fresh === null ? seed + 1 : seed,
  }
}

/** The native dialect has one metric of a name, `*` included. */
const isFirstOfName = ({ name }: MetricSpec, index: number, all: readonly MetricSpec[]): boolean =>
  all.findIndex(other => other.name === name) === index

/** `optimizer.lr` as `lr` in `optimizer`, where the dialect has written it so. */
function nested(params: JsonObject, places: PythonValues['nested']): JsonObject {
  let all: JsonObject = {}
  for (const [name, value] of Object.entries(params)) all = putInto(all, places[name] ?? [name], value)
  return all
}

function putInto(all: JsonObject, [name = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = all[name]
  return { ...all, [name]: rest.length === 0 ? value : putInto(isJsonObject(inner) ? inner : {}, rest, value) }
}

/** As many seeds as before, but at least five, after the largest that was used; null where there are no seeds. */
function withFreshSeeds(blocks: readonly Block[]): readonly Block[] | null {
  const used = blocks.find(({ name }) => name === 'seed')?.levels.filter(level => typeof level === 'number') ?? []
  if (used.length === 0) return null
  const first = Math.max(...used) + 1
  const levels = Array.from({ length: Math.max(fewestRuns, used.length) }, (_, index) => first + index)
  return blocks.map(block => (block.name === 'seed' ? { ...block, levels } : block))
}

/** In the matrix dialect the seed is a parameter, and passed like one. */
function targetWithSeed({ naming, target }: Experiment): TargetSpec {
  const { kind, command } = target
  const isPassed = naming.kind === 'matrix-json' && kind === 'command' && Array.isArray(command)
  return isPassed ? { ...target, command: [...command, '--seed', '{seed}'] } : target
}

function fileText(form: JsonObject, experiment: Experiment, { name, id, ranked }: BestOfSweep): string {
  const [winner] = ranked.best
  const head = [
    `The best of ${ranked.compared} variants tried in ${name} (${id}), with seeds that were not used there.`,
    ...(winner === undefined ? [] : [`There: ${resultText(winner, ranked)}.`, `Found: ${paramsText(winner.varied)}`]),
    ...(experiment.blocks.some(block => block.name === 'seed')
      ? []
      : ['The search had no seeds: a program that takes none will repeat itself.']),
    ...experiment.metrics
      .filter((metric, index, all) => !isFirstOfName(metric, index, all))
      .map(
        ({ name, source }) =>
          `Left out, because there can be one "${name}" here: ${String(source.file ?? source.kind)}`,
      ),
  ]
  const document = new Document(form)
  document.commentBefore = head.map(line => ` ${line}`).join('\n')
  visit(document, {
    // Lists and small maps on a line of their own, as people write them.
    Collection: (_, node, path) => {
      if (path.length > 3) node.flow = true
    },
  })
  return document.toString({ lineWidth: 120 })
}
