import type { Model, StepSpec } from '../../model/model-schema.ts'
import type { Sizes } from './step-graph.ts'

/** How many nodes one iteration has, and how many times one of them waits for another; known without making them. */
export function graphSize({ steps }: Pick<Model, 'steps'>, sizes: Sizes): { nodes: number; waits: number } {
  let nodes = 0
  let waits = 0
  for (const step of Object.values(steps)) {
    nodes += times(step.for_each, sizes)
    for (const before of step.after) {
      const others = ((steps[before] as StepSpec).for_each ?? []).filter(loop => !step.for_each.includes(loop))
      waits += times(step.for_each, sizes) * times(others, sizes)
    }
  }
  return { nodes, waits }
}

const times = (loops: StepSpec['for_each'], sizes: Sizes): number =>
  loops.reduce((product, loop) => product * sizes[loop], 1)
