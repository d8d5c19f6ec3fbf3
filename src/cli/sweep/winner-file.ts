import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { Document, isNode, parseDocument, visit } from 'yaml'
import { resultText } from '../../analyze/search/trials.ts'
import { writtenNatively } from '../../define/dialects/registry.ts'
import type { Experiment, FixedExperiment } from '../../define/experiment.ts'
import { experimentFromYaml } from '../../define/load-experiment.ts'
import { argumentsOf, pythonSpelling } from '../../define/spelling/spelling.ts'
import { targets } from '../../targets/registry.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { canonicalJson, type Json } from '../../util/json.ts'
import { paramsText } from '../outcome/found-best.ts'
import type { BestOfSweep } from './best.ts'
import { isFirstOfName, winnerOf } from './winner.ts'

/** Writes the winner as an experiment of its own, in the native dialect. */
export function writeWinner(file: string, experiment: Experiment, found: BestOfSweep, isForced: boolean): string {
  refuseWrongPlace(file, experiment, isForced)
  const winner = winnerOf(experiment, found)
  const text = fileText(winner, experiment, found)
  refuseUnlike(text, winner)
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new AssayError('cannot_write', `can't write ${file}: ${messageOf(error)}`, { cause: error })
  }
  return file
}

function refuseWrongPlace(file: string, { folder }: Experiment, isForced: boolean): void {
  if (dirname(file) !== folder)
    throw new AssayError('usage', `the winner's file must be in ${folder}: paths in it start there`, {
      hint: `--write ${relative(process.cwd(), join(folder, 'best.yaml'))}`,
    })
  if (existsSync(file) && !isForced)
    throw new AssayError('usage', `${file} is there already`, { hint: 'Choose another name, or add --force.' })
}

/** The file must read back as intended: a dialect may express more than the native one. */
function refuseUnlike(text: string, winner: FixedExperiment): void {
  const read = readBack(text, winner.folder)
  const parts = ['target', 'params', 'blocks', 'limits', 'models', 'metrics', 'outputs', 'hooks'] as const
  const textOf = (part: unknown): string => canonicalJson(JSON.parse(JSON.stringify(part ?? null)) as Json)
  const partOf = (experiment: FixedExperiment, part: (typeof parts)[number]) =>
    // Parameters as a program gets them: nested, with their numbers as they are spelt.
    textOf(part === 'params' ? argumentsOf(experiment.params, experiment) : experiment[part])
  const unlike = parts.filter(part => partOf(read, part) !== partOf(winner, part))
  if (unlike.length > 0)
    throw new AssayError(
      'usage',
      `the winner can't be written in the native dialect: its ${unlike.join(', its ')} would differ`,
      {
        hint: 'Fix its parameters in the original file instead: `assay sweep best` shows them.',
      },
    )
}

function readBack(text: string, folder: string): Experiment {
  try {
    return experimentFromYaml(text, { targets, cwd: folder, folder })
  } catch (error) {
    throw new AssayError('usage', `the winner can't be written as an experiment: ${messageOf(error)}`, { cause: error })
  }
}

function fileText(winner: FixedExperiment, experiment: Experiment, found: BestOfSweep): string {
  const document = new Document(writtenNatively(winner))
  writeParams(document, winner)
  document.commentBefore = headOf(experiment, found)
    .map(line => ` ${line}`)
    .join('\n')
  visit(document, {
    // Lists and small maps on one line, as people write them.
    Collection: (_, node, path) => {
      if (path.length > 3) node.flow = true
    },
  })
  return document.toString({ lineWidth: 120 })
}

/** `optimizer.lr` as `lr` in `optimizer`, if the dialect has written it so, and 1.0 as 1.0. */
function writeParams(document: Document, { params, python }: FixedExperiment): void {
  if (Object.keys(params).length > 0) document.set('params', document.createNode({}))
  for (const [name, value] of Object.entries(params)) {
    const place = python?.nested[name] ?? [name]
    const { contents } = parseDocument(pythonSpelling(name, value, python))
    document.setIn(['params', ...place], isNode(contents) ? contents : value)
  }
}

function headOf(experiment: Experiment, { name, id, ranked }: BestOfSweep): readonly string[] {
  const [winner] = ranked.best
  return [
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
}
