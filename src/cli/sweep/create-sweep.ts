import type { Experiment } from '../../define/experiment.ts'
import { type Created, createExperiment } from '../../engine/run-experiment.ts'
import { listed } from '../../util/words.ts'
import { chooseExperiment, explicitLimits } from '../experiment/choose-experiment.ts'
import { nameFor } from '../experiment/short-id.ts'
import { surroundingsOf } from '../experiment/surroundings.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { styler } from '../views/style.ts'
import { statesText } from '../views/summary-view.ts'
import { methodText } from './method-text.ts'
import { projectTags } from './project-tags.ts'

/** Makes an experiment for workers to pull from, and shows how to start them. */
export async function createSweep(args: readonly string[], options: Options, io: Io): Promise<number> {
  const chosen = chooseExperiment(args, options, io, 'run')
  const { experiment, dir } = chosen
  const request = {
    ...chosen,
    stale: options.stale ?? null,
    explicitLimits: explicitLimits(options),
  }
  const around = surroundingsOf(io)
  const created = createExperiment({ ...request, tags: projectTags(options) }, around)
  const { priorRun = [] } = options
  if (priorRun.length > 0)
    io.stderr.write(`${listed(priorRun)}: runs on the servers of W&B are not imported; the sweep starts without them\n`)
  const line = `assay worker ${nameFor({ id: created.id, dir }, options, io)}`
  if (options.json) writeJson(io.stdout, { kind: 'sweep', ...factsOf(experiment, created), worker: line })
  else writeLines(io.stdout, createdLines(experiment, created, line, io))
  return 0
}

function factsOf({ name, search }: Experiment, { id, was, planned, summary }: Created) {
  const { dir, completed } = summary
  const { method = 'grid', metric = null, goal = null } = search ?? {}
  return { id, name, dir, was, method, metric, goal, planned, completed }
}

function createdLines(
  experiment: Experiment,
  { id, was, planned, summary }: Created,
  line: string,
  io: Io,
): readonly string[] {
  const style = styler(io.stdout)
  const head = {
    new: `created the sweep ${style.bold(id)}`,
    changed: `changed the sweep ${style.bold(id)}; finished runs are kept`,
    same: `this is the sweep ${style.bold(id)}, unchanged`,
  }[was]
  const runs = planned === null ? openEnd(experiment) : statesText({ ...summary, reused: 0 })
  return [
    head,
    `  ${experiment.name}: ${methodText(experiment)}; ${runs}`,
    `  in ${summary.dir}`,
    ...(experiment.hooks.setup === null
      ? []
      : [`  It has a setup hook, which only \`assay run ${id}\` performs: begin with that.`]),
    'start workers with this command, in as many terminals as you like:',
    `  ${line}`,
  ]
}

/** When a sweep ends, if its number of runs depends on results. */
function openEnd({ search }: Experiment): string {
  const { max_runs: most = null, counts = 'runs', target = null, goal = null, metric = null } = search ?? {}
  if (target === null) return 'as many runs as you let it make'
  const enough = `until ${metric} is ${target} or ${goal === 'maximize' ? 'more' : 'less'}`
  return most === null ? enough : `at most ${most} ${counts}, ${enough}`
}
