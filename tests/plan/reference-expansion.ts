import type { Experiment } from '../../src/define/experiment.ts'
import { compileExpression } from '../../src/plan/expression/compile.ts'
import { variantNames } from '../../src/plan/variants/rules.ts'
import type { Json, JsonObject } from '../../src/util/json.ts'
import { canonicalJson } from '../../src/util/json.ts'

/**
 * Expansion as one would do it by hand, slowly: cross everything, drop what does not apply, throw away what is forbidden,
 * and keep one of each. Conditions are applied until nothing changes any more. For factors and ablations only.
 */
export function referenceExpansion(experiment: Experiment): ReadonlySet<string> {
  const names = variantNames(experiment)
  const holds = (text: string, scope: JsonObject) => compileExpression(text, names).test(scope)
  const found = new Set<string>()
  for (const cell of [
    cross(rows(experiment)),
    ...experiment.include.map(entry => cross(includeRows(experiment, entry))),
  ].flat()) {
    const ablation = experiment.ablations.find(({ name }) => name === cell.ablation)
    const raw: JsonObject = { ...experiment.params, ...cell, ...ablation?.set }
    const conditional = experiment.factors.filter(({ when }) => when !== null)
    let absent = new Set<string>()
    for (let round = 0; round <= conditional.length; round++) {
      const scope = without(raw, absent)
      absent = new Set(conditional.filter(({ when }) => holds(when ?? '', scope) !== true).map(({ name }) => name))
    }
    const variant = without(raw, absent)
    const isExcluded = experiment.exclude.some(entry =>
      Object.entries(entry).every(([name, value]) => canonicalJson(variant[name] ?? null) === canonicalJson(value)),
    )
    if (!isExcluded && experiment.constraints.every(text => holds(text, variant) !== false))
      found.add(canonicalJson(variant))
  }
  return found
}

interface Row {
  readonly name: string
  readonly levels: readonly Json[]
}

const rows = ({ factors, ablations }: Experiment): readonly Row[] => [
  ...factors,
  ...(ablations.length > 0 ? [{ name: 'ablation', levels: ablations.map(({ name }) => name) }] : []),
]

const includeRows = (experiment: Experiment, entry: JsonObject): readonly Row[] => [
  ...rows(experiment).filter(({ name }) => entry[name] === undefined),
  ...Object.entries(entry).map(([name, value]) => ({ name, levels: [value].flat() })),
]

const cross = (all: readonly Row[]): readonly JsonObject[] =>
  all.reduce<readonly JsonObject[]>(
    (cells, { name, levels }) => cells.flatMap(cell => levels.map(level => ({ ...cell, [name]: level }))),
    [{}],
  )

const without = (params: JsonObject, absent: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(params).filter(([name]) => !absent.has(name)))
