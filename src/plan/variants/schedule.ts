import type { Grid } from './grids.ts'
import type { Requirement, Rules } from './rules.ts'
import type { State } from './state.ts'

/** What can be done as soon as one more axis has its row. */
export interface Step {
  /** null: before any axis has one. */
  readonly axis: number | null
  /** Find the values of the parameters that are known now, in this order. */
  readonly settles: readonly ((state: State) => void)[]
  /** The axes whose columns are all known now. */
  readonly completes: readonly number[]
  readonly requirements: readonly Requirement[]
}

/** The order in which a grid's axes are walked, and when each check is made: as early as possible. */
export function scheduleOf(grid: Grid, rules: Rules): { readonly steps: readonly Step[]; readonly listed: boolean } {
  const sources = sourcesOf(grid, rules)
  const order = axisOrder(grid, sources)
  // Step 0 has no axis, so the axis at position i of the order is chosen at step i + 1.
  const stepOf = (name: string): number =>
    Math.max(0, ...[...(sources.get(name) ?? [])].map(axis => order.indexOf(axis) + 1))
  const lastStepOf = (names: Iterable<string>): number => Math.max(0, ...[...names].map(stepOf))
  const settling = namesToSettle(grid, rules).map(name => ({ step: stepOf(name), settle: settler(name, grid, rules) }))
  const steps = [null, ...order].map((axis, step) => ({
    axis,
    settles: settling.filter(each => each.step === step).map(({ settle }) => settle),
    completes: grid.axes.flatMap(({ columns }, index) =>
      lastStepOf(columns.map(({ name }) => name)) === step ? [index] : [],
    ),
    requirements: rules.requirements.filter(({ names }) => lastStepOf(names) === step),
  }))
  return { steps, listed: order.every((axis, place) => axis === place) }
}

/** By name, the axes that must have a row before the value is known. */
function sourcesOf(grid: Grid, rules: Rules): ReadonlyMap<string, ReadonlySet<number>> {
  const sources = new Map<string, Set<number>>()
  const add = (name: string, axes: Iterable<number>) => {
    sources.set(name, new Set([...(sources.get(name) ?? []), ...axes]))
  }
  grid.axes.forEach(({ columns }, axis) => {
    for (const { name } of columns) add(name, [axis])
  })
  const ablationAxis = sources.get('ablation') ?? []
  for (const name of settableNames(rules)) add(name, ablationAxis)
  for (const { factor, names } of rules.conditions) for (const name of names) add(factor, sources.get(name) ?? [])
  return sources
}

/** As listed, except that an axis comes after those that decide whether its factors apply. */
function axisOrder(grid: Grid, sources: ReadonlyMap<string, ReadonlySet<number>>): readonly number[] {
  const waiting = new Set(grid.axes.keys())
  const order: number[] = []
  const isReady = (axis: number): boolean =>
    (grid.axes[axis]?.columns ?? []).every(({ name }) =>
      [...(sources.get(name) ?? [])].every(source => source === axis || !waiting.has(source)),
    )
  while (waiting.size > 0) {
    // Zipped factors can wait for each other crosswise; then any order will do, only slower.
    const next = [...waiting].find(isReady) ?? Math.min(...waiting)
    waiting.delete(next)
    order.push(next)
  }
  return order
}

/** The names whose value is not constant: first those without a condition, then the others by dependency. */
function namesToSettle(grid: Grid, rules: Rules): readonly string[] {
  const conditional = rules.conditions.map(({ factor }) => factor)
  const varying = [...grid.axes.flatMap(({ columns }) => columns.map(({ name }) => name)), ...settableNames(rules)]
  const first = varying.filter(name => name === 'ablation')
  const others = varying.filter(name => name !== 'ablation' && !conditional.includes(name))
  return [...new Set([...first, ...others, ...conditional.filter(name => varying.includes(name))])]
}

const settableNames = (rules: Rules): readonly string[] =>
  [...rules.ablations.values()].flatMap(({ set }) => Object.keys(set))

/** Sets the value of a parameter: from the ablation, else from its axis, else the constant, if it applies. */
function settler(name: string, grid: Grid, rules: Rules): (state: State) => void {
  const axis = grid.axes.findIndex(({ columns }) => columns.some(column => column.name === name))
  const levels = grid.axes[axis]?.columns.find(column => column.name === name)?.levels ?? []
  const condition = rules.conditions.find(({ factor }) => factor === name)
  const constant = grid.constants[name] ?? null
  const canBeSet = settableNames(rules).includes(name)
  return ({ scope, significant, cell }) => {
    const applies = condition === undefined || condition.holds(scope)
    const ablation = scope.ablation
    const set = canBeSet && typeof ablation === 'string' ? rules.ablations.get(ablation)?.set[name] : undefined
    const level = levels[cell[axis] ?? 0]?.value
    // Not `??`: null is a value like any other.
    const value = set === undefined ? level : set
    scope[name] = applies && value !== undefined ? value : constant
    if (applies && set === undefined && level !== undefined) significant.add(name)
    else significant.delete(name)
  }
}
