import { join, relative, resolve } from 'node:path'
import { importances } from '../../analyze/search/importances.ts'
import { type Found, paretoFront, rankedVariants, trialsOf } from '../../analyze/search/trials.ts'
import type { Experiment } from '../../define/experiment.ts'
import type { Evidence } from '../../define/observation.ts'
import { readDefinition, readExperiment } from '../../record/journal/experiment-row.ts'
import { directoryName } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import { listed } from '../../util/words.ts'
import { experimentDirArgument } from '../experiment/experiment-dir-argument.ts'
import { nameFor } from '../experiment/short-id.ts'
import { withJournal } from '../experiment/with-journal.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { foundIn, objectiveOf, searchEvidence } from '../outcome/found-best.ts'
import type { BestOfSweep } from './best.ts'
import { bestLines } from './best-view.ts'
import { writeWinner } from './winner-file.ts'

/** How many runners-up are shown. */
const mostShown = 5

export async function bestOfSweep(args: readonly string[], options: Options, io: Io): Promise<number> {
  const dir = experimentDirArgument(args, options, io)
  const { row, experiment } = withJournal(dir, journal => ({
    row: readExperiment(journal),
    experiment: readDefinition(journal),
  }))
  if (row === undefined || experiment === undefined)
    throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
  const evidence = searchEvidence(dir, experiment)
  const ranked = rankedFor(experiment, evidence, options)
  // Its paths are relative to the same folder as the experiment's own.
  const file = relative(io.cwd, join(experiment.folder, `${directoryName(row.name)}-best.yaml`))
  const found: BestOfSweep = {
    id: row.shortId,
    name: row.name,
    dir,
    ranked,
    ...whatMattered(experiment, evidence, ranked),
    next: [`assay sweep best ${nameFor({ id: row.shortId, dir }, options, io)} --write ${file}`, `assay run ${file}`],
  }
  const written =
    options.write === undefined
      ? null
      : writeWinner(resolve(io.cwd, options.write), experiment, found, options.force ?? false)
  if (options.json) writeJson(io.stdout, { kind: 'best', ...jsonOf(found), written })
  else writeLines(io.stdout, bestLines(found, written === null ? null : relative(io.cwd, written), io))
  return 0
}

function rankedFor(experiment: Experiment, evidence: Evidence, { metric, goal }: Options): Found {
  if (evidence.runs.length === 0)
    throw new AssayError('usage', 'no run has ended yet: there is no best variant', {
      hint: 'Start a worker first.',
    })
  const reading = objectiveOf(experiment, evidence, { metric, goal })
  if (!reading.isGoalKnown)
    throw new AssayError('usage', `is a large or a small "${reading.metric}" better?`, {
      hint: 'add --goal maximize or --goal minimize',
    })
  const ranked = rankedVariants(evidence, reading, mostShown)
  if (ranked.best.length === 0)
    throw new AssayError(
      'usage',
      `no run has completed with a value of "${reading.metric}": there is no best variant`,
      {
        hint: withoutMetric(evidence),
      },
    )
  return foundIn(ranked, experiment)
}

/** If runs completed, they have other metrics or none. */
function withoutMetric({ runs }: Evidence): string {
  const completed = runs.filter(({ outcome }) => outcome.kind === 'completed')
  if (completed.length === 0) return '`assay status` lists what failed.'
  const names = [...new Set(completed.flatMap(({ metrics }) => Object.keys(metrics)))].sort()
  if (names.length === 0) return 'Completed runs have no metric at all: let the program report it.'
  return `Completed runs have ${listed(names, 12)}: choose one with --metric.`
}

/** A forest or a front of this many trials takes seconds; with more, too long for its value. */
const mostLearned = 3000

function whatMattered(
  { metrics }: Experiment,
  evidence: Evidence,
  { metric, goal }: Found,
): Pick<BestOfSweep, 'importances' | 'objectives' | 'front'> {
  const trials = trialsOf(evidence.runs)
  const isLarge = trials.length > mostLearned
  const others = metrics.flatMap(({ name, goal }) =>
    goal === null || name === metric || name === '*' ? [] : [{ metric: name, goal }],
  )
  const objectives = [{ metric, goal }, ...others]
  return {
    importances: isLarge ? [] : importances(trials, { metric, goal }),
    objectives,
    // A trial that was stopped early is cheap for that reason alone.
    front: objectives.length > 1 && !isLarge ? paretoFront(trialsOf(evidence.runs, 'completed'), objectives) : [],
  }
}

function jsonOf({ id, name, dir, ranked, importances, front, next }: BestOfSweep) {
  const { metric, goal, tried, compared, runs, incomplete, best } = ranked
  const [winner] = best
  return {
    ...{ id, name, dir, metric, goal, variants: tried, incomplete, runs_per_variant: runs },
    number: winner?.number,
    params: winner?.params,
    value: winner?.result.mean,
    ci: winner?.result.ci ?? null,
    runs: winner?.runs,
    // The best of many looks better than it will be again.
    is_optimistic: compared > 1,
    ranked: best.map(({ number, params, result }) => ({
      number,
      params,
      value: result.mean,
      ci: result.ci,
      runs: result.count,
    })),
    importances,
    pareto: front.map(({ number, params, values }) => ({ number, params, values })),
    next,
  }
}
