import { isJsonObject, type Json } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import type { SourceProblem } from '../../problems.ts'
import { type Path, valueAt } from '../../source/source.ts'
import { type MatrixJson, matrixJsonSchema } from './matrix-schema.ts'

/** Parameters in the order in which Cascade's sweep runner puts them on the command line. */
export const parameterOrder = [
  'workflows',
  'pdfs',
  'iters',
  'subqueries',
  'policy',
  'seed',
  'time_scale',
  'heavy_tail_prob',
  'heavy_tail_mult',
  'enable_model_routing',
] as const

/** Cascade's sweep runner refuses to run without these; it chooses a seed itself. */
const required = parameterOrder.filter(name => name !== 'seed' && name !== 'enable_model_routing')

/** Cascade's sweep runner ignores unknown keys, so only those that look like typing errors are refused. */
export function misspeltKeys(value: Json): readonly SourceProblem[] {
  const ablations = valueAt(value, ['matrix', 'ablations'])
  return [
    ...misspelt(value, Object.keys(matrixJsonSchema.unwrap().shape), []),
    ...(Array.isArray(ablations) ? ablations : []).flatMap((ablation, index) =>
      misspelt(ablation, ['name', 'flags'], ['matrix', 'ablations', index]),
    ),
  ]
}

function misspelt(map: Json, known: readonly string[], path: Path): readonly SourceProblem[] {
  return Object.keys(isJsonObject(map) ? map : {}).flatMap((key): SourceProblem[] => {
    const hint = known.includes(key) ? undefined : didYouMean(key, known)
    return hint === undefined ? [] : [{ path: [...path, key], part: 'key', message: `unknown key "${key}"`, hint }]
  })
}

/** Checks beyond the schema. */
export function matrixJsonMistakes(written: MatrixJson): readonly SourceProblem[] {
  return [...missingParameters(written), ...seedMistakes(written)]
}

function missingParameters({ common_args, matrix }: MatrixJson): readonly SourceProblem[] {
  const present = [...Object.keys(common_args), ...Object.keys(matrix)]
  return required
    .filter(name => !present.includes(name))
    .map(name => {
      const meant = didYouMean(
        name,
        present.filter(other => !required.some(known => known === other)),
      )
      const hint = meant ?? 'give it in common_args, or its levels in matrix'
      return { path: ['common_args', name], message: `the parameter "${name}" is missing`, hint }
    })
}

function seedMistakes({ common_args, matrix }: MatrixJson): readonly SourceProblem[] {
  const problems: SourceProblem[] = []
  if (matrix.seed !== undefined && matrix.seeds !== undefined)
    problems.push({
      path: ['matrix', 'seed'],
      part: 'key',
      message: 'both "seed" and "seeds" are given',
      hint: 'keep "seeds"',
    })
  const { seed } = common_args
  const usesCommonSeed = matrix.seed === undefined && matrix.seeds === undefined && seed !== undefined
  if (usesCommonSeed && !Number.isInteger(seed))
    problems.push({ path: ['common_args', 'seed'], message: `expected a whole number, got ${JSON.stringify(seed)}` })
  return problems
}
