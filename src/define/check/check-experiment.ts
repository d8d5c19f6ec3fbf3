import { canonicalJson, isAscending, type Json } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import type { Experiment } from '../experiment.ts'
import { includedLevels, levelsOfName, listedNames } from '../levels.ts'
import { metricNameTaken, reservedNames } from '../observation.ts'
import { budgetProblem, type Problem, type Target } from '../target.ts'
import { searchProblems } from './check-search.ts'

/** Checks beyond the schema, for every dialect: paths are those of the translated experiment. */
export function checkExperiment(experiment: Experiment, targets: readonly Target[]): readonly Problem[] {
  return [
    ...levelProblems(experiment),
    ...zipProblems(experiment),
    ...nameProblems(experiment),
    ...reservedNameProblems(experiment),
    ...unknownFactors(experiment),
    ...repeatedInclusions(experiment),
    ...primaryProblems(experiment),
    ...searchProblems(experiment),
    ...targetProblems(experiment, targets),
  ]
}

function* levelProblems({ factors, blocks, ablations }: Experiment): Generator<Problem> {
  for (const [section, lists] of [['factors', factors] as const, ['blocks', blocks] as const])
    for (const { name, levels, ...more } of lists) {
      if (levels.length === 0 && !('domain' in more))
        yield { path: [section, name], message: `"${name}" has no levels, so nothing would be run` }
      for (const { index, value } of repeated(levels))
        yield { path: [section, name, index], message: `${JSON.stringify(value)} is listed twice` }
    }
  for (const { index, value } of repeated(ablations.map(({ name }) => name)))
    yield { path: ['ablations', index, 'name'], message: `${JSON.stringify(value)} is listed twice` }
}

/** Equal data is one level, however it is written: 50 and 50.0 would be the same run twice. */
function repeated(values: readonly Json[]): readonly { index: number; value: Json }[] {
  if (isAscending(values)) return []
  const seen = new Set<string>()
  return values.flatMap((value, index) => {
    const text = canonicalJson(value)
    if (seen.has(text)) return [{ index, value }]
    seen.add(text)
    return []
  })
}

function* zipProblems({ zip }: Experiment): Generator<Problem> {
  for (const [group, factors] of zip.entries()) {
    const [first, ...others] = factors
    if (first === undefined) continue
    if (first.levels.length === 0) yield { path: ['zip', group, first.name], message: `"${first.name}" has no levels` }
    const odd = others.filter(({ levels }) => levels.length !== first.levels.length)
    for (const { name, levels } of odd)
      yield {
        path: ['zip', group, name],
        message: `zipped lists must be equally long: "${name}" has ${levels.length}, "${first.name}" has ${first.levels.length}`,
      }
    if (odd.length > 0) continue
    const rows = first.levels.map((_, row) => factors.map(({ levels }) => levels[row] ?? null))
    for (const { index } of repeated(rows))
      yield { path: ['zip', group, first.name, index], message: `row ${index + 1} repeats an earlier row` }
  }
}

function* nameProblems({ params, factors, zip, blocks, ablations }: Experiment): Generator<Problem> {
  const uses: readonly (readonly [what: string, path: Problem['path'], name: string])[] = [
    ...Object.keys(params).map(name => ['a parameter', ['params', name], name] as const),
    ...factors.map(({ name }) => ['a factor', ['factors', name], name] as const),
    ...zip.flatMap((group, index) => group.map(({ name }) => ['a zipped factor', ['zip', index, name], name] as const)),
    ...blocks.map(({ name }) => ['a block', ['blocks', name], name] as const),
  ]
  const first = new Map<string, string>(ablations.length > 0 ? [['ablation', 'the name of the ablation']] : [])
  for (const [what, path, name] of uses) {
    const earlier = first.get(name)
    if (earlier === undefined) first.set(name, what)
    else yield { path, message: `"${name}" is both ${earlier} and ${what}`, hint: 'rename or remove one' }
  }
}

/** Only in native files: those of Cascade's sweep runner, W&B and the like are taken as they are. */
function* reservedNameProblems(experiment: Experiment): Generator<Problem> {
  const { dialect, params, factors, zip, include, ablations, blocks, metrics } = experiment
  if (dialect !== 'native') return
  const named = [
    ...Object.keys(params).map(name => ({ path: ['params', name], name })),
    ...factors.map(({ name }) => ({ path: ['factors', name], name })),
    ...zip.flatMap((group, index) => group.map(({ name }) => ({ path: ['zip', index, name], name }))),
  ]
  const parameters = new Set([...named.map(({ name }) => name), ...blocks.map(({ name }) => name)])
  const added = [
    ...include.flatMap((entry, index) => Object.keys(entry).map(name => ({ path: ['include', index, name], name }))),
    ...ablations.flatMap(({ set }, index) =>
      Object.keys(set).map(name => ({ path: ['ablations', index, 'set', name], name })),
    ),
    ...blocks.map(({ name }) => ({ path: ['blocks', name], name })),
  ]
  for (const { path, name } of [...named, ...added])
    if (reservedNames.has(name) || name === 'cost_usd')
      yield { path, message: `"${name}" is reserved by assay`, hint: 'choose another name' }
    // In a filter it is the run's name, in `naming` the experiment's.
    else if (name === 'name')
      yield { path, message: 'runs and the experiment have a name already', hint: 'choose another, such as "label"' }
  for (const { path, name } of named)
    if (name === 'seed') yield { path, message: 'the random seed is not a factor', hint: 'write seeds: [1, 2, 3]' }
  for (const { name } of metrics) {
    const message = parameters.has(name) ? `"${name}" is a parameter already` : metricNameTaken(name)
    if (message !== null) yield { path: ['metrics', name], message, hint: 'choose another name for the metric' }
  }
}

function* unknownFactors(experiment: Experiment): Generator<Problem> {
  const { factors, zip, include, exclude, ablations } = experiment
  const known = new Set([...factors, ...zip.flat()].map(({ name }) => name))
  if (ablations.length > 0) known.add('ablation')
  // An addition may have its own parameters, but hardly ones almost named like a factor.
  for (const [index, entry] of include.entries())
    for (const name of Object.keys(entry).filter(one => !known.has(one))) {
      const hint = didYouMean(
        name,
        [...known].filter(other => isNearPath(name, other)),
      )
      if (hint !== undefined) yield { path: ['include', index, name], message: `"${name}" is not a factor`, hint }
    }
  for (const name of include.flatMap(Object.keys)) known.add(name)
  for (const [index, entry] of exclude.entries())
    for (const [name, level] of Object.entries(entry)) {
      const path = ['exclude', index, name]
      if (!known.has(name)) {
        const hint = didYouMean(name, known) ?? `factors: ${[...known].join(', ') || 'none'}`
        yield { path, message: `"${name}" is not a factor`, hint }
      } else if (isCompound(level) && !levelsOfName(name, experiment).some(isCompound)) {
        const hint = 'write one entry for each level'
        yield { path, message: `expected one level, got ${JSON.stringify(level)}`, hint }
      }
    }
}

/** `actors.port.goals` and `actors.port.model` are two keys, however much of their paths is the same. */
function isNearPath(name: string, other: string): boolean {
  const [ours, theirs] = [name.split('.'), other.split('.')]
  const isNear = (part: string, known: string) => part === known || didYouMean(part, [known]) !== undefined
  return ours.length === theirs.length && ours.every((part, at) => isNear(part, theirs[at] ?? ''))
}

/** A list that contains a level twice was probably meant as one level, such as the sizes of layers. */
function* repeatedInclusions(experiment: Experiment): Generator<Problem> {
  const listed = listedNames(experiment)
  for (const [index, entry] of experiment.include.entries())
    for (const [name, given] of Object.entries(entry).filter(([one]) => listed.has(one)))
      for (const { value } of repeated(includedLevels(name, given, experiment)))
        yield {
          path: ['include', index, name],
          message: `a list holds several levels, and ${JSON.stringify(value)} is listed twice`,
          hint: `for one level that is a list write [${JSON.stringify(given)}]`,
        }
}

const isCompound = (value: Json): boolean => typeof value === 'object' && value !== null

function primaryProblems({ metrics }: Experiment): readonly Problem[] {
  const [first, ...others] = metrics.filter(({ primary }) => primary)
  return others.map(({ name }) => ({
    path: ['metrics', name, 'primary'],
    message: `only one metric decides: "${first?.name}" is primary already`,
  }))
}

function* targetProblems(experiment: Experiment, targets: readonly Target[]): Generator<Problem> {
  const target = targets.find(({ kind }) => kind === experiment.target.kind)
  if (target === undefined) {
    yield { path: ['target', 'kind'], message: `there is no target of kind "${experiment.target.kind}"` }
    return
  }
  const problem = budgetProblem(experiment.limits, target.kind, target.bound(experiment.target))
  if (problem !== null)
    yield {
      path: ['limits', 'budget_usd'],
      message: problem,
      hint: [
        'add "run_budget_usd: 0.50" to limits (or --run-budget 0.50); 0 declares that runs are free',
        target.boundHint,
      ]
        .filter(hint => hint !== undefined)
        .join('; '),
    }
  yield* target.check(experiment.target, experiment)
}
