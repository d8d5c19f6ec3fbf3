import type { Json } from '../../util/json.ts'
import { slugOf } from '../../util/words.ts'
import type { Grid } from './grids.ts'
import { type Level, levelOf } from './level.ts'
import type { Rules } from './rules.ts'
import type { Variant } from './variant.ts'

/**
 * Makes variants from cells: takes the row of each axis, returns the variant. Called for every run, so it is written
 * for speed.
 */
export function assembler(grid: Grid, rules: Rules, varying: ReadonlySet<string>): (cell: Uint32Array) => Variant {
  const slots = slotsOf(grid, rules, varying)
  const sorted = [...slots].sort((a, b) => (a.name < b.name ? -1 : 1))
  const ablationAxis = grid.axes.findIndex(({ columns }) => columns[0]?.name === 'ablation')
  const ablationLevels = grid.axes[ablationAxis]?.columns[0]?.levels ?? []
  const shown = slots.filter(({ varies }) => varies)
  const settable = slots.some(({ settings }) => settings.size > 0)
  const conditional = rules.conditions.flatMap(condition => {
    const slot = slots.find(({ name }) => name === condition.factor)
    return slot === undefined ? [] : [{ slot, condition }]
  })

  return cell => {
    const ablation = ablationLevels[cell[ablationAxis] ?? 0]
    const ablationName = typeof ablation?.value === 'string' ? ablation.value : null
    for (const slot of slots) slot.current = slot.axis < 0 ? slot.constant : slot.levels[cell[slot.axis] ?? 0]
    if (settable) for (const slot of slots) slot.current = slot.settings.get(ablationName) ?? slot.current
    if (conditional.length > 0) applyConditions(ablationName)
    const params: { [name: string]: Json } = {}
    for (const { name, current } of slots) if (current !== undefined) params[name] = current.value
    // Joined, not concatenated: V8 would keep a concatenation as a tree of pieces, and every run of the variant would
    // walk it again.
    const pieces: string[] = []
    for (const { current } of sorted) if (current !== undefined) pieces.push(current.entry)
    const paramsJson = ['{', pieces.join(','), '}'].join('')
    const slugs: string[] = []
    for (const { current } of shown) if (current !== undefined) slugs.push(current.label)
    if (ablation !== undefined && varying.has('ablation')) slugs.push(ablation.slug)
    const flags = ablationName === null ? noFlags : (rules.ablations.get(ablationName)?.flags ?? noFlags)
    return { params, ablation: ablationName, flags, paramsJson, slug: slugs.join('_') }
  }

  function applyConditions(ablation: string | null): void {
    const scope: { [name: string]: Json } = { ablation }
    for (const { name, current } of slots) scope[name] = current?.value ?? null
    // What a condition reads has already been decided: the conditions are in that order.
    for (const { slot, condition } of conditional) {
      if (condition.holds(scope)) continue
      slot.current = slot.constant
      scope[slot.name] = slot.constant?.value ?? null
    }
  }
}

const noFlags: readonly string[] = []

/** A parameter with everything that it can contain. */
interface Slot {
  readonly name: string
  readonly axis: number
  readonly levels: readonly CheckedAssertion[]
  readonly constant: CheckedAssertion | undefined
  /** By ablation. */
  readonly settings: ReadonlyMap<string | null, CheckedAssertion>
  readonly varies: boolean
  current: CheckedAssertion | undefined
}

interface CheckedAssertion {
  readonly value: Json
  /** `"policy":"full"` */
  readonly entry: string
  /** `policy-full` */
  readonly label: string
}

function slotsOf(grid: Grid, rules: Rules, varying: ReadonlySet<string>): readonly Slot[] {
  const columns = grid.axes.flatMap((axis, index) => axis.columns.map(column => ({ ...column, axis: index })))
  const ablations = [...rules.ablations.values()]
  const names = [
    ...Object.keys(grid.constants),
    ...columns.map(({ name }) => name).filter(name => name !== 'ablation'),
    ...ablations.flatMap(({ set }) => Object.keys(set)),
  ]
  return [...new Set(names)].map(name => {
    const column = columns.find(candidate => candidate.name === name)
    const constant = grid.constants[name]
    const settings = ablations.flatMap(ablation => {
      const value = ablation.set[name]
      return value === undefined ? [] : [[ablation.name, held(name, levelOf(value))] as const]
    })
    return {
      name,
      axis: column?.axis ?? -1,
      levels: (column?.levels ?? []).map(level => held(name, level)),
      constant: constant === undefined ? undefined : held(name, levelOf(constant)),
      settings: new Map(settings),
      varies: varying.has(name),
      current: undefined,
    }
  })
}

const held = (name: string, { value, json, slug }: Level): CheckedAssertion => ({
  value,
  entry: `${JSON.stringify(name)}:${json}`,
  label: `${slugOf(name)}-${slug}`,
})
