import type { Experiment } from '../../define/experiment.ts'
import { levelsOfName } from '../../define/levels.ts'
import type { Problem } from '../../define/target.ts'
import type { Json } from '../../util/json.ts'
import { overrideProblems } from './formats/overrides.ts'
import type { ScenarioSpec } from './spec.ts'
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
        overrideProblems(one, name, level).map(
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
    [...found, ...beginningProblems(spec, experiment), ...blockProblems(files, experiment)].map(problem => [
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
  const at = experiment.factors.find(factor => factor.name === name)?.levels.indexOf(value) ?? -1
  return at < 0 ? pathOfName(name, experiment) : ['factors', name, at]
}

/** A branch has the beginning of its trunk: runs with another one would be the same runs under another name. */
function beginningProblems({ branch_from }: ScenarioSpec, experiment: Experiment): readonly Problem[] {
  const { factors, zip, params } = experiment
  const branches = [branch_from, ...levelsOfName('branch_from', experiment)].filter(
    level => typeof level === 'string' && !isTrunk(level),
  )
  if (branches.length === 0) return []
  const varied = [...factors, ...zip.flat()].filter(({ when }) => when === null).map(({ name }) => name)
  return [...varied, ...Object.keys(params)]
    .filter(name => /^(scenario\.)?initial_world_state$/.test(name))
    .map(name => ({
      path: pathOfName(name, experiment),
      message: `${name} changes nothing in a branch, which has the beginning of its trunk`,
      hint: `branch in an experiment without ${name}`,
    }))
}

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
