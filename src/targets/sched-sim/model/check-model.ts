import type { Problem } from '../../../define/target.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { formulaProblems } from './check-formulas.ts'
import type { Model, StepSpec } from './model-schema.ts'

/** Checks beyond the schema: steps that wait for each other, unknown names. */
export function modelProblems(model: Model): readonly Problem[] {
  const names = Object.keys(model.steps)
  if (names.length === 0) return [{ path: ['steps'], message: 'expected at least one step' }]
  const unknown = Object.entries(model.steps).flatMap(([name, step]) => unknownNames(name, step, model))
  if (unknown.length > 0) return [...unknown, ...resourceClashes(model)]
  const stuck = cycleProblems(model)
  return [
    ...resourceClashes(model),
    ...stuck,
    ...(stuck.length > 0 ? [] : deciderProblems(model)),
    ...formulaProblems(model),
  ]
}

function unknownNames(name: string, step: StepSpec, { steps, providers, local }: Model): readonly Problem[] {
  const resources = [...Object.keys(providers), ...Object.keys(local)]
  const problems: Problem[] = []
  if (!resources.includes(step.on))
    problems.push({
      path: ['steps', name, 'on'],
      message: `there is no provider or local resource "${step.on}"`,
      hint: didYouMean(step.on, resources) ?? `there are ${resources.join(', ')}`,
    })
  step.after.forEach((before, index) => {
    if (Object.hasOwn(steps, before)) return
    const others = Object.keys(steps)
    problems.push({
      path: ['steps', name, 'after', index],
      message: `there is no step "${before}"`,
      hint: didYouMean(before, others) ?? `there are ${others.join(', ')}`,
    })
  })
  return problems
}

function resourceClashes({ providers, local }: Model): readonly Problem[] {
  return Object.keys(local)
    .filter(name => Object.hasOwn(providers, name))
    .map(name => ({ path: ['local', name], message: `"${name}" is the name of a provider too` }))
}

/** Steps that can never start: they wait for themselves, or for steps that do. */
function cycleProblems({ steps }: Model): readonly Problem[] {
  const startable = new Set<string>()
  for (let before = -1; before < startable.size; ) {
    before = startable.size
    for (const [name, step] of Object.entries(steps))
      if (step.after.every(other => startable.has(other))) startable.add(name)
  }
  const stuck = Object.keys(steps).filter(name => !startable.has(name))
  if (stuck.length === 0) return []
  const cycle = cycleAmong(stuck, steps)
  return stuck.map(name => ({
    path: ['steps', name, 'after'],
    message: cycle.includes(name)
      ? `the step waits for itself: ${[...cycle, cycle[0]].join(' → ')}`
      : `the step can't be reached: it waits for ${cycle.join(', ')}, which never starts`,
  }))
}

/** One cycle, each step before the one that it waits for. */
function cycleAmong(stuck: readonly string[], steps: Model['steps']): readonly string[] {
  const path: string[] = []
  let at = stuck[0] ?? ''
  while (!path.includes(at)) {
    path.push(at)
    at = steps[at]?.after.find(before => stuck.includes(before)) ?? ''
  }
  return path.slice(path.indexOf(at))
}

function deciderProblems({ steps }: Model): readonly Problem[] {
  const deciders = Object.keys(steps).filter(name => steps[name]?.decides)
  if (deciders.length > 1)
    return deciders
      .slice(1)
      .map(name => ({ path: ['steps', name, 'decides'], message: `only one step decides, and ${deciders[0]} does` }))
  const [decider] = deciders
  if (decider === undefined) return []
  if ((steps[decider]?.for_each.length ?? 0) > 0)
    return [{ path: ['steps', decider, 'for_each'], message: 'the step that decides is there once' }]
  const needed = stepsBefore(decider, steps)
  return Object.keys(steps)
    .filter(name => name !== decider && !needed.has(name))
    .map(name => ({
      path: ['steps', name],
      message: `nothing that ${decider} waits for needs this step, so the iteration would end without it`,
      hint: `let a step on the way to ${decider} come after it`,
    }))
}

function stepsBefore(name: string, steps: Model['steps'], found = new Set<string>()): ReadonlySet<string> {
  for (const before of steps[name]?.after ?? []) {
    if (found.has(before)) continue
    found.add(before)
    stepsBefore(before, steps, found)
  }
  return found
}
