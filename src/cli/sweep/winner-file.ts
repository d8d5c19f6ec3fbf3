import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Document, visit } from 'yaml'
import { type FixedExperiment, nativeForm } from '../../define/dialects/native-form.ts'
import type { Block, Experiment, TargetSpec } from '../../define/experiment.ts'
import { experimentFrom } from '../../define/load-experiment.ts'
import { directoryName } from '../../record/directory/experiment-directory.ts'
import { targets } from '../../targets/registry.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import type { BestOfSweep } from './best.ts'
import { paramsText, resultText } from './found-best.ts'

/** Fewer say nothing about how much runs differ. */
const fewestRuns = 5

/** Writes the winner as an experiment of its own, in the native dialect, to be run with seeds that the search did not see. */
export function writeWinner(file: string, experiment: Experiment, found: BestOfSweep, isForced: boolean): string {
  const form = nativeForm(winnerOf(experiment, found))
  refuseWrongPlace(file, experiment, isForced)
  try {
    experimentFrom(form, { targets, cwd: experiment.folder, folder: experiment.folder })
  } catch (error) {
    throw new AssayError('usage', `the winner can't be written as an experiment: ${messageOf(error)}`, { cause: error })
  }
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

function winnerOf(experiment: Experiment, { name, ranked }: BestOfSweep): FixedExperiment {
  const { ablation, ...params } = ranked.best[0]?.params ?? {}
  const { blocks, replicates, seed } = experiment
  const fresh = withFreshSeeds(blocks)
  return {
    ...experiment,
    name: `${directoryName(name)}-best`,
    description: '',
    target: targetWithSeed(experiment),
    params,
    ablations: experiment.ablations.filter(one => one.name === ablation),
    blocks: fresh ?? blocks,
    replicates: fresh === null ? Math.max(fewestRuns, replicates) : replicates,
    seed: fresh === null ? seed + 1 : seed,
  }
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
    `The best of ${ranked.tried} variants tried in ${name} (${id}), with seeds that were not used there.`,
    ...(winner === undefined ? [] : [`There: ${resultText(winner, ranked)}.`, `Found: ${paramsText(winner.varied)}`]),
    ...(experiment.blocks.some(block => block.name === 'seed')
      ? []
      : ['The search had no seeds: a program that takes none will repeat itself.']),
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
