import type { Model, StepSpec } from '../../model/model-schema.ts'

export interface Sizes {
  readonly pdfs: number
  readonly subqueries: number
}

/** One iteration of a workflow as a graph of nodes; every workflow has the same. Node ids count from 0 here, from 1 in files. */
export interface StepGraph {
  readonly steps: readonly string[]
  readonly nodes: number
  /** Which step a node is of. */
  readonly stepOf: Int32Array
  /** How many nodes a node waits for. */
  readonly waitsFor: Int32Array
  readonly children: readonly Int32Array[]
  readonly roots: readonly number[]
  readonly nodesPerStep: Int32Array
  /** Steps that come right after a step. */
  readonly stepsAfter: readonly (readonly number[])[]
  /** Steps, each after those it waits for. */
  readonly order: readonly number[]
  /** The step that decides whether there is another iteration; -1 if none does. */
  readonly decider: number
}

type Loop = keyof Sizes

interface Node {
  readonly step: number
  readonly item: Readonly<Partial<Record<Loop, number>>>
}

export function stepGraph(model: Pick<Model, 'steps'>, sizes: Sizes): StepGraph {
  const steps = Object.keys(model.steps)
  const specs = Object.values(model.steps)
  const nodes = nodesOf(specs, sizes)
  const parents = parentsOf(nodes, steps, specs)
  const children: number[][] = nodes.map(() => [])
  parents.forEach((before, node) => {
    for (const parent of before) children[parent]?.push(node)
  })
  const stepsAfter = steps.map(name => specs.flatMap((other, index) => (other.after.includes(name) ? [index] : [])))
  return {
    steps,
    nodes: nodes.length,
    stepOf: Int32Array.from(nodes, node => node.step),
    waitsFor: Int32Array.from(parents, before => before.length),
    children: children.map(list => Int32Array.from(list)),
    roots: parents.flatMap((before, node) => (before.length === 0 ? [node] : [])),
    nodesPerStep: Int32Array.from(steps, (_, step) => nodes.filter(node => node.step === step).length),
    stepsAfter,
    order: topologicalOrder(stepsAfter),
    decider: specs.findIndex(spec => spec.decides),
  }
}

/** All nodes in the order of their ids: neighbouring steps that are repeated for the same thing alternate. */
function nodesOf(specs: readonly StepSpec[], sizes: Sizes): readonly Node[] {
  const nodes: Node[] = []
  const visit = (group: readonly { readonly step: number; readonly loops: readonly Loop[] }[], item: Node['item']) => {
    for (let at = 0; at < group.length; ) {
      const [first] = group[at]?.loops ?? []
      let end = at + 1
      if (first === undefined) nodes.push({ step: group[at]?.step ?? 0, item })
      else {
        while (end < group.length && group[end]?.loops[0] === first) end++
        const inner = group.slice(at, end).map(({ step, loops }) => ({ step, loops: loops.slice(1) }))
        for (let index = 0; index < sizes[first]; index++) visit(inner, { ...item, [first]: index })
      }
      at = end
    }
  }
  visit(
    specs.map((spec, step) => ({ step, loops: spec.for_each })),
    {},
  )
  return nodes
}

/** For each node the nodes it waits for: those of the steps before it that share its item. */
function parentsOf(nodes: readonly Node[], steps: readonly string[], specs: readonly StepSpec[]): readonly number[][] {
  const find = finder(nodes)
  return nodes.map(node => {
    const found = new Set<number>()
    const seen = new Set<string>()
    const search = (name: string): void => {
      if (seen.has(name)) return
      seen.add(name)
      const step = steps.indexOf(name)
      const spec = specs[step] as StepSpec
      const shared = spec.for_each.filter(loop => specs[node.step]?.for_each.includes(loop))
      const matching = find(step, shared, node.item)
      for (const index of matching) found.add(index)
      // The step has no nodes (no subqueries, for example): its own prerequisites count instead.
      if (matching.length === 0) spec.after.forEach(search)
    }
    specs[node.step]?.after.forEach(search)
    return [...found].sort((a, b) => a - b)
  })
}

type Find = (step: number, shared: readonly Loop[], item: Node['item']) => readonly number[]

/** The nodes of a step that have these parts of an item; grouped once, so that a large graph takes no longer per node. */
function finder(nodes: readonly Node[]): Find {
  const groups = new Map<string, Map<string, number[]>>()
  return (step, shared, item) => {
    const name = [step, ...shared].join()
    const keyOf = (of: Node['item']): string => shared.map(loop => of[loop]).join()
    let group = groups.get(name)
    if (group === undefined) {
      group = new Map<string, number[]>()
      groups.set(name, group)
      for (const [index, node] of nodes.entries()) if (node.step === step) listAt(group, keyOf(node.item)).push(index)
    }
    return group.get(keyOf(item)) ?? []
  }
}

function listAt(group: Map<string, number[]>, key: string): number[] {
  const list = group.get(key) ?? []
  group.set(key, list)
  return list
}

function topologicalOrder(stepsAfter: readonly (readonly number[])[]): readonly number[] {
  const order: number[] = []
  const visit = (step: number): void => {
    if (order.includes(step)) return
    for (const next of stepsAfter[step] ?? []) visit(next)
    order.unshift(step)
  }
  stepsAfter.forEach((_, step) => void visit(step))
  return order
}
