import type { Experiment } from '../../define/experiment.ts'
import { resolvePath } from '../../define/resolve-path.ts'
import type { Problem } from '../../define/target.ts'
import { AssayError } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { paramsOfFlags } from './flags.ts'
import { modelFiles } from './identity.ts'
import { parseArrivals } from './model/arrivals.ts'
import { loadModel } from './model/load-model.ts'
import { simParams } from './params.ts'
import type { SchedSimSpec } from './spec.ts'

type Path = Problem['path']

/** Every value that a parameter takes, wherever it is given, before anything runs. */
export function checkSimulation(spec: SchedSimSpec, experiment: Experiment): readonly Problem[] {
  return [
    ...givenValues(experiment).flatMap(({ name, value, path }) => problemOf(name, value, path)),
    ...experiment.ablations.flatMap(({ flags }, index) => flagProblems(flags, ['ablations', index, 'flags'])),
    ...modelFiles(spec.model, experiment).flatMap(file => modelProblem(file, experiment.folder)),
  ]
}

interface Given {
  readonly name: string
  readonly value: Json
  readonly path: Path
}

function givenValues({ params, factors, zip, blocks, include, ablations }: Experiment): readonly Given[] {
  const known = blocks.filter(({ name }) => Object.hasOwn(simParams.shape, name))
  return [
    ...entries(params, ['params']),
    ...[...factors, ...zip.flat()].flatMap(({ name, levels }) =>
      levels.map((value, index) => ({ name, value, path: ['factors', name, index] })),
    ),
    ...known.flatMap(({ name, levels }) => levels.map((value, i) => ({ name, value, path: ['blocks', name, i] }))),
    ...include.flatMap((row, index) => entries(row, ['include', index])),
    ...ablations.flatMap(({ set }, index) => entries(set, ['ablations', index, 'set'])),
  ]
}

const entries = (map: Readonly<Record<string, Json>>, path: Path): readonly Given[] =>
  Object.entries(map).map(([name, value]) => ({ name, value, path: [...path, name] }))

function problemOf(name: string, value: Json, path: Path): readonly Problem[] {
  const schema = Object.hasOwn(simParams.shape, name)
    ? simParams.shape[name as keyof typeof simParams.shape]
    : undefined
  if (schema === undefined) {
    const hint = didYouMean(name, Object.keys(simParams.shape))
    return [{ path, message: `the simulator has no parameter "${name}"`, ...(hint === undefined ? {} : { hint }) }]
  }
  const result = schema.safeParse(value)
  if (!result.success) {
    const [issue] = result.error.issues
    return [{ path, message: `${issue?.message ?? 'is not right'}, got ${JSON.stringify(value)}` }]
  }
  return name === 'arrivals' ? complaint(path, () => void parseArrivals(String(value))) : []
}

function flagProblems(flags: readonly string[], path: Path): readonly Problem[] {
  try {
    return Object.entries(paramsOfFlags(flags)).flatMap(([name, value]) => problemOf(name, value, path))
  } catch (error) {
    return [problemFrom(error, path)]
  }
}

const modelProblem = (file: string, folder: string): readonly Problem[] =>
  complaint(['target', 'model'], () => {
    const cwd = process.cwd()
    loadModel(resolvePath(file, { folder, cwd }), cwd)
  })

function complaint(path: Path, action: () => void): readonly Problem[] {
  try {
    action()
    return []
  } catch (error) {
    return [problemFrom(error, path)]
  }
}

function problemFrom(error: unknown, path: Path): Problem {
  if (!(error instanceof AssayError)) throw error
  return { path, message: error.message, ...(error.hint === undefined ? {} : { hint: error.hint }) }
}
