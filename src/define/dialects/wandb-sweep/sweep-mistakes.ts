import { isJsonObject, type Json } from '../../../util/json.ts'
import type { SourceProblem } from '../../problems.ts'
import { type Path, type Source, valueAt } from '../../source/source.ts'
import { commandMistakes, wordsOf } from './sweep-command.ts'
import type { WrittenSweep } from './sweep-schema.ts'

/** Checks beyond the schema. */
export function* sweepMistakes(written: WrittenSweep, source: Source): Generator<SourceProblem> {
  const { program, command, method, metric, early_terminate } = written
  yield* cloudMistakes(written)
  yield* commandMistakes(wordsOf(command ?? [], source))
  for (const key of ['assay', 'wandb'])
    if ([...leaves(valueAt(source.value, [key]), [key])].some(path => source.optionOf(path) === null))
      yield {
        path: [key],
        part: 'key',
        message: `a sweep file has no "${key}"`,
        hint: 'use options such as -j, --timeout and --set wandb=real, or write the experiment in the native dialect',
      }
  if (program === undefined && (command === undefined || command.includes('${program}')))
    yield {
      path: command === undefined ? [] : ['command', command.indexOf('${program}')],
      message: 'the program to run is missing',
      hint: 'add "program: train.py"; a function that was given to wandb.agent() has to be called by a program',
    }
  if (method === 'bayes' && metric === undefined)
    yield { path: ['method'], message: 'bayes learns from a metric', hint: 'add "metric: { name: …, goal: … }"' }
  if (early_terminate === undefined) return
  const path = ['early_terminate']
  if (metric === undefined)
    yield { path, message: 'runs are ended by their metric', hint: 'add "metric: { name: …, goal: … }"' }
  const { min_iter, max_iter, s } = early_terminate
  if (max_iter !== undefined && s === undefined)
    yield { path: [...path, 'max_iter'], part: 'key', message: '"max_iter" needs "s", the number of bands before it' }
  else if (max_iter === undefined && min_iter === undefined)
    yield { path, message: 'expected "min_iter", or "max_iter" with "s"' }
}

/** Keys of W&B that are impossible here. */
function* cloudMistakes({ metrics, job, image_uri, scheduler }: WrittenSweep): Generator<SourceProblem> {
  if (metrics !== undefined)
    yield {
      path: ['metrics'],
      part: 'key',
      message: 'several objectives are for the method "custom"',
      hint: 'keep one of them as "metric", or write the search in the native dialect: search: { metric: a, also: [b] }',
    }
  for (const [key, value] of Object.entries({ job, image_uri }))
    if (value !== undefined)
      yield {
        path: [key],
        part: 'key',
        message: `"${key}" is kept on the servers of W&B, for W&B Launch`,
        hint: 'name what to run with "program" or "command"',
      }
  const engine = isJsonObject(scheduler) ? scheduler.engine : undefined
  if (engine !== undefined && engine !== 'wandb')
    yield {
      path: ['scheduler', 'engine'],
      message: `assay chooses the runs itself, not ${JSON.stringify(engine)}`,
      hint: 'leave "scheduler" out and take method: bayes, or tpe in the native dialect',
    }
}

function* leaves(value: Json | undefined, path: Path): Generator<Path> {
  if (value === undefined) return
  if (!isJsonObject(value) || Object.keys(value).length === 0) yield path
  else for (const [key, inner] of Object.entries(value)) yield* leaves(inner, [...path, key])
}
