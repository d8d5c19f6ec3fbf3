import { didYouMean } from '../../util/suggest.ts'
import type { Experiment, Factor, SearchSpec } from '../experiment.ts'
import type { Problem } from '../target.ts'

/** Contradictions between a search, its space and its metric. */
export function* searchProblems(experiment: Experiment): Generator<Problem> {
  const { search, factors, include } = experiment
  if (search !== undefined) yield* targetProblems(search)
  if (search?.counts === 'variants' && experiment.cells !== undefined)
    yield {
      path: ['search', 'counts'],
      message: 'variants can only be counted if each is run in all blocks, but "cells" lists other combinations',
      hint: 'leave one out',
    }
  if (search === undefined || search.method === 'grid') {
    yield* factors.flatMap(gridProblems)
    if (search !== undefined) yield* metricProblems(search, experiment)
    return
  }
  if (include.length > 0)
    yield {
      path: ['include'],
      message: `"include" lists variants, and "search" chooses them itself`,
      hint: 'leave one out, or search with method: grid',
    }
  yield* metricProblems(search, experiment)
  yield* objectiveProblems(search, experiment)
  yield* spaceProblems(search, experiment)
}

function* targetProblems({ target, metric, goal }: SearchSpec): Generator<Problem> {
  if ((target ?? null) === null || (metric !== null && goal !== null)) return
  const message = metric === null ? `a target needs a metric` : `is a large or a small "${metric}" better?`
  const hint = metric === null ? 'add "metric"' : 'add "goal: minimize" or "goal: maximize"'
  yield { path: ['search', 'target'], message, hint }
}

function gridProblems({ name, domain, levels, probabilities }: Factor): readonly Problem[] {
  const path = ['factors', name]
  const hint = 'add search: { method: random, max_runs: 50 } (or sobol, bayes, tpe)'
  if (domain !== undefined && levels.length === 0)
    return [
      domain.step === null
        ? { path, message: `"${name}" is continuous, and a grid needs levels: list them, or give a step`, hint }
        : { path, message: `"${name}" has too many levels for a grid`, hint },
    ]
  if (probabilities !== undefined)
    return [{ path: [...path, 'probabilities'], message: 'a grid runs all levels and ignores probabilities', hint }]
  return []
}

function* metricProblems(search: SearchSpec, { metrics }: Experiment): Generator<Problem> {
  const { method, metric, goal, early_stop } = search
  const learns = method === 'bayes' || method === 'tpe' || early_stop !== null
  const who =
    early_stop === null
      ? `${method} learns from`
      : `${'name' in early_stop ? early_stop.name : early_stop.type} stops runs by`
  const names = metrics.map(({ name }) => name).filter(name => name !== '*')
  if (metric === null) {
    if (!learns) return
    yield {
      path: ['search'],
      message: `${who} a metric, and ${names.length === 0 ? 'none is declared' : 'several are declared'}`,
      hint: names.length === 0 ? 'add metrics: { score: { goal: maximize } }' : 'add "metric", or mark one as primary',
    }
    return
  }
  const declared = metrics.find(({ name }) => name === metric)
  if (declared === undefined && names.length === metrics.length)
    yield {
      path: ['search', 'metric'],
      message: `the metric "${metric}" is not declared`,
      hint: didYouMean(metric, names) ?? (names.length === 0 ? 'add it to metrics' : `metrics: ${names.join(', ')}`),
    }
  else if (goal === null && learns)
    yield {
      path: ['search'],
      message: `is a large or a small "${metric}" better?`,
      hint: 'add "goal: minimize" or "goal: maximize"',
    }
  else if (declared !== undefined && declared.goal !== null && goal !== declared.goal)
    yield {
      path: ['search', 'goal'],
      message: `the search would ${goal} "${metric}", but its metric says ${declared.goal}`,
      hint: 'leave one out',
    }
}

function* objectiveProblems({ metric, also }: SearchSpec, { metrics }: Experiment): Generator<Problem> {
  const named = metrics.filter(({ name }) => name !== '*')
  for (const [index, objective] of also.entries()) {
    const path = ['search', 'also', index]
    const name = `"${objective.metric}"`
    const declared = named.find(one => one.name === objective.metric)
    const before = [metric, ...also.slice(0, index).map(one => one.metric)]
    if (before.includes(objective.metric)) yield { path, message: `${name} is an objective already` }
    else if (declared === undefined)
      yield {
        path,
        message: `the metric ${name} is not declared`,
        hint:
          didYouMean(
            objective.metric,
            named.map(one => one.name),
          ) ?? 'add it to metrics, with its goal',
      }
    else if (declared.goal === null)
      yield { path, message: `is a large or a small ${name} better?`, hint: `add "goal" to the metric ${name}` }
  }
}

function* spaceProblems(search: SearchSpec, experiment: Experiment): Generator<Problem> {
  const { factors, zip, ablations, blocks, replicates, dialect } = experiment
  const varies = ({ levels, domain }: Factor) => levels.length > 1 || (domain !== undefined && levels.length === 0)
  const groups = [...factors.filter(varies), ...zip.flat().filter(varies), ...(ablations.length > 1 ? [0] : [])]
  if (groups.length === 0)
    yield { path: ['search'], message: 'there is nothing to search: no factor has more than one level' }
  const each = blocks.reduce((product, { levels }) => product * levels.length, replicates)
  const { max_runs, counts } = search
  if (max_runs !== null && max_runs < each && counts !== 'variants')
    yield {
      path: ['search', 'max_runs'],
      message: `one variant alone takes ${each} runs, in all its blocks and replicates, and only ${max_runs} are allowed`,
    }
  const endless = factors.find(({ levels, domain }) => domain !== undefined && levels.length === 0)
  if (max_runs === null && endless !== undefined && dialect === 'native')
    yield {
      path: ['search'],
      message: `"${endless.name}" has no end of levels, so the search would never end`,
      hint: `add "max_runs: ${counts === 'variants' ? 50 : 50 * each}"`,
    }
}
