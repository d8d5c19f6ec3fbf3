import type { Experiment } from '../../define/experiment.ts'
import { resolvePath } from '../../define/read-files.ts'
import type { Problem } from '../../define/target.ts'
import { AssayError } from '../../util/errors.ts'
import { didYouMean } from '../../util/suggest.ts'
import { paramsOfFlags } from './flags.ts'
import { type Given, givenValues } from './given-values.ts'
import { modelFiles } from './identity.ts'
import { parseArrivals } from './model/arrivals.ts'
import { readColumn } from './model/latencies.ts'
import { loadModel } from './model/load-model.ts'
import { simParams } from './params.ts'
import type { SchedSimSpec } from './spec.ts'

type Path = Problem['path']

/** Every value that a parameter takes, wherever it is given, before anything runs. */
export function checkSimulation(spec: SchedSimSpec, experiment: Experiment): readonly Problem[] {
  return [
    ...givenValues(experiment).flatMap(given => problemsOf(given, experiment)),
    ...experiment.ablations.flatMap(({ flags }, index) =>
      flagProblems(flags, ['ablations', index, 'flags'], experiment),
    ),
    ...modelFiles(spec.model, experiment).flatMap(file => modelProblem(file, experiment.folder)),
  ]
}

function problemsOf({ name, value, path }: Given, { folder }: Experiment): readonly Problem[] {
  const { shape } = simParams.unwrap()
  const schema = Object.hasOwn(shape, name) ? shape[name as keyof typeof shape] : undefined
  if (schema === undefined) {
    const hint = didYouMean(name, Object.keys(shape))
    return [{ path, message: `the simulator has no parameter "${name}"`, ...(hint === undefined ? {} : { hint }) }]
  }
  const result = schema.safeParse(value)
  if (!result.success) {
    const [issue] = result.error.issues
    return [{ path, message: `${issue?.message ?? 'is not right'}, got ${JSON.stringify(value)}` }]
  }
  return name === 'arrivals' ? complaint(path, () => readArrivals(String(value), folder)) : []
}

function flagProblems(flags: readonly string[], path: Path, experiment: Experiment): readonly Problem[] {
  try {
    return Object.entries(paramsOfFlags(flags)).flatMap(([name, value]) =>
      problemsOf({ name, value, path }, experiment),
    )
  } catch (error) {
    return [problemFrom(error, path)]
  }
}

function readArrivals(text: string, folder: string): void {
  const arrivals = parseArrivals(text)
  if (arrivals === 'all_at_once' || !('trace' in arrivals)) return
  readColumn(resolvePath(arrivals.trace, { folder, cwd: process.cwd() }), 'arrival_ms', { folder })
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
