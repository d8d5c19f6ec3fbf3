import { isJsonObject } from '../../../util/json.ts'
import type { Experiment } from '../../experiment.ts'
import { problemLine } from '../../problems.ts'
import type { Source } from '../../source/source.ts'
import { macroNames } from '../../spelling/spelling.ts'
import type { Parameter } from './read-parameter.ts'
import { isLeftOut, leftOut, wordsOf } from './sweep-command.ts'
import type { WrittenParameter, WrittenSweep } from './sweep-schema.ts'

/** Settings that are allowed but probably not intended. */
export function parameterNotes(name: string, written: WrittenParameter, parameter: Parameter): readonly string[] {
  if (parameter.kind === 'list' && parameter.levels.length < (written.values?.length ?? 0))
    return [`"${name}" lists a value twice: it counts once`]
  if (parameter.kind !== 'range' || !/^(q_)?log_uniform$/.test(parameter.distribution)) return []
  const { min = 0, max = 0, distribution } = written
  if (min < 0 || max > 1) return []
  const shown = (exponent: number) => Number(Math.exp(exponent).toPrecision(4))
  return [
    `"${name}": ${distribution} takes exponents, so it lies between ${shown(min)} and ${shown(max)}; ${distribution}_values takes the numbers themselves`,
  ]
}

/** Whether a sweep ends also depends on the selected part of it. */
export function endlessNotes(
  { search, factors }: Experiment,
  { isEndless }: { readonly isEndless: boolean },
): readonly string[] {
  if (!isEndless || search?.max_runs !== null || factors.every(({ levels }) => levels.length > 0)) return []
  return search.target == null
    ? ['without "run_cap" this sweep continues until you stop it: --set run_cap=50 sets one']
    : ['without "run_cap" this sweep continues until a run reaches the target: --set run_cap=50 sets a limit']
}

/** What a user of the file should know before it runs. */
export function sweepNotes(sweep: WrittenSweep, source: Source): readonly string[] {
  const { controller, scheduler, metric, command = [], parameters } = sweep
  const words = wordsOf(command, source)
  const names = Object.keys(parameters)
  const running = metric?.impute_while_running ?? false
  const written = (name: string) => words.some(word => !isLeftOut(word) && word.includes(`\${${name}}`))
  const unreplaced = names.filter(name => !macroNames.some(macro => macro === name) && written(name))
  return [
    ...leftOut(words, names).map(problem => problemLine(source, problem)),
    ...unreplaced.map(
      name => `"command": \${${name}} is no macro and gets to the program as it is; \${args} passes "${name}"`,
    ),
    ...(controller === undefined ? [] : ['"controller" is not needed: assay itself chooses the runs']),
    ...(isJsonObject(scheduler) ? ['"scheduler" is not needed: assay itself chooses the runs'] : []),
    ...(running === false || running === 'false'
      ? []
      : ['"impute_while_running" has no effect: running runs count with their expected value']),
  ]
}
