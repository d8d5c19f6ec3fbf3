import type { Factor } from '../../../define/experiment.ts'
import { canonicalJson, type Json, type JsonObject } from '../../../util/json.ts'
import { joinSlugs, slugOf } from '../../../util/words.ts'
import type { PlanPart } from '../../plan-part.ts'
import { throwError } from '../../variants/problems.ts'
import { type Rules, rulesOf } from '../../variants/rules.ts'
import type { Variant } from '../../variants/variant.ts'
import { type Variants, variantsOf } from '../../variants/variants.ts'
import { type Dimension, dimensionOf } from './dimension.ts'

/** A coordinate for each dimension; null where it does not apply. */
export type Point = readonly (number | null)[]

/** The space of a search: what varies, what depends on what, what is forbidden. */
export interface Space {
  readonly dimensions: readonly Dimension[]
  /** All variants, if they can be listed. */
  readonly listed: Variants | null
  /**
   * The same point without irrelevant coordinates: of a factor whose `when` is false, or that the ablation sets. So
   * variants that behave the same are one. null if a constraint forbids it.
   */
  canonical(point: Point): Point | null
  /** Of a canonical point. */
  variantAt(point: Point): Variant
  /** The canonical point of a variant; null if it is not in the space. */
  pointOf(variant: Pick<Variant, 'params' | 'ablation'>): Point | null
}

export function spaceOf(experiment: PlanPart): Space {
  const groups: readonly (readonly Factor[])[] = [
    ...experiment.factors.map(factor => [factor]),
    ...experiment.zip,
    ...ablationGroup(experiment),
  ]
  const dimensions = groups.map(dimensionOf)
  const rules = rulesOf(experiment, throwError)
  const combinations = dimensions.reduce((product, { size }) => product * size, 1)
  const constants = experiment.params
  const settle = settler(dimensions, rules, constants)
  const varying = groups
    .flat()
    .filter(varies)
    .map(({ name }) => name)
  return {
    dimensions,
    listed: combinations <= mostListed ? variantsOf(experiment) : null,
    canonical: point => settle(point)?.point ?? null,
    variantAt: point => variant(settle(point), point, { dimensions, rules, constants, varying }),
    pointOf({ params, ablation }) {
      // A factor may be called `ablation` if there are no ablations.
      const own = { ablation: null, ...params, ...(ablation !== null && { ablation }) }
      const point = dimensions.map(dimension => dimension.find(own))
      const found = settle(point.map((coordinate, index) => coordinate ?? dimensions[index]?.coordinateAt(0) ?? 0))
      // Everything that is not found must be something that does not apply.
      const isThere = found?.point.every((coordinate, index) => coordinate === null || coordinate === point[index])
      return isThere ? (found?.point ?? null) : null
    },
  }
}

/** Up to this number all variants are enumerated, so that the search knows when it is done. */
const mostListed = 1_000_000

const ablationGroup = ({ ablations }: PlanPart): readonly (readonly Factor[])[] =>
  ablations.length === 0 ? [] : [[{ name: 'ablation', levels: ablations.map(({ name }) => name), when: null }]]

interface Settled {
  readonly point: Point
  /** Names of parameters that the variant does not have. */
  readonly hidden: ReadonlySet<string>
  readonly scope: { readonly [name: string]: Json }
}

/** Decides what applies: first what the ablation sets, then each `when`, then whether everything is allowed. */
function settler(dimensions: readonly Dimension[], rules: Rules, constants: JsonObject) {
  const placeOfName = new Map(dimensions.flatMap(({ names }, index) => names.map(name => [name, index] as const)))
  return (point: Point): Settled | null => {
    const scope: { [name: string]: Json } = { ablation: null, ...constants }
    dimensions.forEach(({ names, levelsAt }, index) => {
      const coordinate = point[index] ?? null
      const levels = coordinate === null ? [] : levelsAt(coordinate)
      names.forEach((name, at) => {
        scope[name] = levels[at] ?? constants[name] ?? null
      })
    })
    const set = rules.ablations.get(String(scope.ablation))?.set ?? {}
    Object.assign(scope, set)
    const absent = new Set(Object.keys(set))
    const hidden = new Set<string>()
    for (const { factor, holds } of rules.conditions) {
      if (holds(scope)) continue
      scope[factor] = constants[factor] ?? null
      absent.add(factor)
      if (constants[factor] === undefined) hidden.add(factor)
    }
    if (!rules.requirements.every(({ holds }) => holds(scope))) return null
    const isAbsent = (index: number) => dimensions[index]?.names.every(name => absent.has(name)) ?? false
    const inactive = new Set([...absent].map(name => placeOfName.get(name) ?? -1).filter(isAbsent))
    return { point: point.map((coordinate, index) => (inactive.has(index) ? null : coordinate)), scope, hidden }
  }
}

const varies = ({ levels, domain }: Factor): boolean =>
  new Set(levels.map(canonicalJson)).size > 1 || (domain !== undefined && levels.length === 0)

interface Parts {
  readonly dimensions: readonly Dimension[]
  readonly rules: Rules
  readonly constants: JsonObject
  /** The names whose labels are shown. */
  readonly varying: readonly string[]
}

function variant(settled: Settled | null, point: Point, parts: Parts): Variant {
  const { scope = {}, hidden } = settled ?? {}
  const { dimensions, rules, constants, varying } = parts
  const ablation = typeof scope.ablation === 'string' ? scope.ablation : null
  const set = ablation === null ? {} : (rules.ablations.get(ablation)?.set ?? {})
  const active = dimensions.flatMap(({ names }, index) => (point[index] === null ? [] : names))
  const names = [...new Set([...Object.keys(constants), ...active, ...Object.keys(set)])]
  const params = Object.fromEntries(
    names.filter(name => name !== 'ablation' && !hidden?.has(name)).map(name => [name, scope[name] ?? null] as const),
  )
  const labels = varying
    .filter(name => Object.hasOwn(params, name))
    .map(name => `${slugOf(name)}-${slugOf(params[name] ?? null)}`)
  return {
    params,
    ablation,
    flags: ablation === null ? [] : (rules.ablations.get(ablation)?.flags ?? []),
    paramsJson: canonicalJson(params),
    slug: joinSlugs(...labels, varying.includes('ablation') && ablation !== null ? slugOf(ablation) : ''),
  }
}
