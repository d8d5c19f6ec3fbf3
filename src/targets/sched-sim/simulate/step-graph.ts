import type { Model, StepSpec } from '../model/model-schema.ts'

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

interface Node {
  readonly step: number
  readonly item: Readonly<Record<string, number>>
}

export function stepGraph(model: Pick<Model, 'steps'>, sizes: Sizes): StepGraph {
  const steps = Object.keys(model.steps)
  const specs = Object.values(model.steps)
  const nodes = nodesOf(specs, sizes)
  const parents = nodes.map(node => parentsOf(node, nodes, steps, specs))
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
  const all = specs.map((spec, step) => ({ step, loops: spec.for_each }))
  const visit = (group: typeof all, item: Node['item']): readonly Node[] => {
    const nodes: Node[] = []
    for (let at = 0; at < group.length; ) {
      const [first] = group[at]?.loops ?? []
      let end = at + 1
      if (first === undefined) nodes.push({ step: group[at]?.step ?? 0, item })
      else {
        while (end < group.length && group[end]?.loops[0] === first) end++
        const inner = group.slice(at, end).map(({ step, loops }) => ({ step, loops: loops.slice(1) }))
        for (let index = 0; index < sizes[first]; index++) nodes.push(...visit(inner, { ...item, [first]: index }))
      }
      at = end
    }
    return nodes
  }
  return visit(all, {})
}

/** The nodes that a node waits for: those of the steps before it that share its item. */
function parentsOf(node: Node, nodes: readonly Node[], steps: readonly string[], specs: readonly StepSpec[]): number[] {
  const found = new Set<number>()
  const search = (after: readonly string[]): void => {
    for (const name of after) {
      const step = steps.indexOf(name)
      const matching = instancesOf(nodes, step).filter(index => sharesItem(nodes[index], node))
      // Nothing of that step is there (no subqueries, say): what it would have waited for counts instead.
      if (matching.length === 0) search(specs[step]?.after ?? [])
      for (const index of matching) found.add(index)
    }
  }
  search(specs[node.step]?.after ?? [])
  return [...found].sort((a, b) => a - b)
}

const instances = new WeakMap<readonly Node[], Map<number, readonly number[]>>()

function instancesOf(nodes: readonly Node[], step: number): readonly number[] {
  let byStep = instances.get(nodes)
  if (byStep === undefined) {
    const grouped = new Map<number, number[]>()
    nodes.forEach((node, index) => {
      const list = grouped.get(node.step)
      if (list === undefined) grouped.set(node.step, [index])
      else list.push(index)
    })
    byStep = grouped
    instances.set(nodes, byStep)
  }
  return byStep.get(step) ?? []
}

function sharesItem(a: Node | undefined, b: Node): boolean {
  return Object.entries(a?.item ?? {}).every(([loop, index]) => b.item[loop] === undefined || b.item[loop] === index)
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
