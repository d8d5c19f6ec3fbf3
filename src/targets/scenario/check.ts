import type { Experiment } from '../../define/experiment.ts'
import { levelsOfName } from '../../define/levels.ts'
import type { Problem } from '../../define/target.ts'
import type { Json } from '../../util/json.ts'
import { isStateChange } from './branch-state.ts'
import { overrideProblems } from './formats/overrides.ts'
import type { ScenarioSpec } from './spec.ts'
import { withStateTexts } from './state-texts.ts'
import { isTrunk } from './trunk.ts'

/** Parameters that lead nowhere, and values that a scenario can't have. */
export function checkScenario(spec: ScenarioSpec, experiment: Experiment): readonly Problem[] {
  const { files = {} } = spec
  const { factors, zip, params, include, ablations } = experiment
  const names = new Set([
    ...[...factors, ...zip.flat()].map(({ name }) => name),
    ...[params, ...include, ...ablations.map(({ set }) => set)].flatMap(part => Object.keys(part)),
  ])
  names.delete('ablation')
  const found = [...names].flatMap(name =>
    levelsOfName(name, experiment).flatMap(level =>
      Object.values(files).flatMap(one =>
        overrideProblems(one, name, textOf(name, level, spec)).map(
          ({ message, hint, isAboutValue = false }): Problem => ({
            path: isAboutValue ? pathOfValue(name, level, experiment) : pathOfName(name, experiment),
            message,
            ...(hint !== undefined && { hint }),
          }),
        ),
      ),
    ),
  )
  const different = new Map(
    [...found, ...branchProblems(spec, experiment), ...blockProblems(files, experiment)].map(problem => [
      `${problem.path.join('.')} ${problem.message}`,
      problem,
    ]),
  )
  return [...different.values()]
}

const pathOfName = (name: string, { params }: Experiment): Problem['path'] => [
  Object.hasOwn(params, name) ? 'params' : 'factors',
  name,
]

function pathOfValue(name: string, value: Json, experiment: Experiment): Problem['path'] {
  const factors = [...experiment.factors, ...experiment.zip.flat()]
  const at = factors.find(factor => factor.name === name)?.levels.indexOf(value) ?? -1
  return at < 0 ? pathOfName(name, experiment) : ['factors', name, at]
}

const textOf = (name: string, level: Json, { texts }: ScenarioSpec): Json =>
  withStateTexts({ [name]: level }, texts)[name] ?? null

/** Runs that a parameter can't change would be the same runs under another name. */
function branchProblems({ branch_from }: ScenarioSpec, experiment: Experiment): readonly Problem[] {
  const { factors, zip, params } = experiment
  const levels = [branch_from, ...levelsOfName('branch_from', experiment)].filter(level => level !== undefined)
  const isBranch = (level: Json) => typeof level === 'string' && !isTrunk(level)
  const varied = [...factors, ...zip.flat()].filter(({ when }) => when === null).map(({ name }) => name)
  const always = [...varied, ...Object.keys(params)]
  const problem = (name: string, message: string, hint: string): Problem => ({
    ...{ path: pathOfName(name, experiment), message: `${name} ${message}`, hint },
  })
  if (!levels.some(isBranch))
    return [...always, ...experiment.include.flatMap(entry => Object.keys(entry))]
      .filter(isStateChange)
      .map(name => problem(name, 'changes the state from which a branch continues, but nothing branches here', nowhere))
  const beginning = always
    .filter(name => /^(scenario\.)?initial_world_state$/.test(name))
    .map(name =>
      problem(
        name,
        'changes nothing in a branch, which has the beginning of its trunk',
        `branch in an experiment without ${name}; world_state is the state after the turn from which a branch continues`,
      ),
    )
  const isMixed = levels.some(level => !isBranch(level)) || beginsElsewhere(experiment)
  const state = isMixed ? always.filter(isStateChange) : []
  return [
    ...beginning,
    ...state.map(name =>
      problem(
        name,
        'changes nothing in runs that begin at the beginning',
        `add when: "branch_from != 'trunk'" to ${name}`,
      ),
    ),
  ]
}

const nowhere = 'name a run with branch_from: RUN:TURN; initial_world_state is the state at the beginning'

/** Whether only some variants give a branching point. */
const beginsElsewhere = ({ factors, zip, params, include }: Experiment): boolean =>
  ![...factors, ...zip.flat()].some(({ name }) => name === 'branch_from') &&
  !Object.hasOwn(params, 'branch_from') &&
  include.some(entry => Object.hasOwn(entry, 'branch_from'))

/** A block only pairs runs: a setting that is written as one would change nothing. */
function blockProblems(files: NonNullable<ScenarioSpec['files']>, { blocks }: Experiment): readonly Problem[] {
  return blocks
    .filter(({ name, levels }) =>
      Object.values(files).some(one => levels.some(level => overrideProblems(one, name, level).length === 0)),
    )
    .map(({ name }) => ({
      path: ['blocks', name],
      message: `${name} is a setting of scenarios, and a block changes no settings`,
      hint: `make it a factor; compare --pair-by ${name} pairs runs by it`,
    }))
}
