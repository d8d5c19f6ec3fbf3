import type { Experiment, SearchSpec } from '../../define/experiment.ts'
import type { Observation } from '../../define/observation.ts'
import type { Run } from '../../define/run.ts'
import { countsVariants, trialOf, trialSize } from '../../plan/identity.ts'
import { objectiveOf } from '../../plan/planner.ts'
import { type SeriesSoFar, type Stopper, stopperFor } from '../../plan/stoppers/registry.ts'
import { logEvent } from '../../record/journal/experiment-row.ts'
import { observationsSince } from '../../record/read/observations.ts'
import { openTrials, stoppedTrials, stopTrial } from '../../record/runs/claim.ts'
import { canonicalJson } from '../../util/json.ts'
import { counted } from '../../util/words.ts'
import type { LoopSetup } from './loop-setup.ts'

/** The current rule. */
interface Rule {
  readonly stopper: Stopper
  readonly search: SearchSpec
  /** Runs of a whole trial. */
  readonly size: number
  /** If the rule compares run by run, values are those of runs; otherwise each is the mean of all so far. */
  readonly comparesRuns: boolean
}

/** A trial's finished runs, in the order in which they ended. */
interface Trial {
  readonly run: Run
  /** By run. */
  readonly scores: Map<string, { readonly step: number; readonly value: number }>
}

/**
 * Stops trials, if a search counts variants: an iteration is a finished run of the trial, its value the mean up to that
 * run. The remaining runs of a stopped trial are never executed; running ones finish and count. Everything is read from
 * the journal, so it does not matter which process executed a run, or when.
 */
export class TrialStopping {
  readonly #setup: Pick<LoopSetup, 'journal' | 'clock' | 'emit'>
  #written = ''
  #rule: Rule | null = null
  #trials = new Map<string, Trial>()
  #seen = 0
  #news: string[] = []
  /** Blocks and replicates, numbered in order of appearance: all trials have the same ones. */
  #steps = new Map<string, number>()

  constructor(setup: Pick<LoopSetup, 'journal' | 'clock' | 'emit'>) {
    this.#setup = setup
  }

  /** The experiment's current rule. */
  follow(experiment: Experiment): void {
    const { search, stoppers, blocks } = experiment
    const written = JSON.stringify([search, stoppers, blocks.length, trialSize(experiment)])
    if (written === this.#written) return
    this.#written = written
    this.forget()
    const { early_stop = null, metric = null, goal = null } = search ?? {}
    this.#rule =
      search === undefined || !countsVariants(experiment) || early_stop === null || metric === null || goal === null
        ? null
        : {
            stopper: stopperFor(early_stop, goal, experiment),
            search,
            size: trialSize(experiment),
            comparesRuns: early_stop.type === 'paired',
          }
  }

  /** After results are recorded and before more is claimed, in the same transaction: so not one run too many is started. */
  judge(): void {
    if (this.#rule === null) return
    const { journal } = this.#setup
    this.#takeIn(this.#rule)
    const stopped = stoppedTrials(journal)
    const open = new Map(openTrials(journal).map(one => [one.trial, one]))
    const { size } = this.#rule
    const all = new Map<string, SeriesSoFar>()
    const running: SeriesSoFar[] = []
    for (const [id, trial] of this.#trials) {
      const isComplete = trial.scores.size >= size
      const isRunning = !isComplete && !stopped.has(id)
      const series = this.#seriesOf(trial, { isRunning, isComplete })
      all.set(id, series)
      if (isRunning && (open.get(id)?.ready ?? 1) > 0) running.push(series)
    }
    const stops = this.#rule.stopper(running, [...all.values()])
    const reasons = new Map(stops.map(({ run, reason }) => [run, reason]))
    for (const [id, trial] of this.#trials) {
      const reason = stopped.has(id) ? undefined : reasons.get(trial.run.name)
      if (reason !== undefined) this.#stop(id, trial, reason)
    }
  }

  /** Decisions are announced once they are written. */
  tell(): void {
    for (const message of this.#news) this.#setup.emit({ kind: 'notice', level: 'info', message })
    this.#news = []
  }

  /** The data may not be in the journal (rolled back): it is read again. */
  forget(): void {
    this.#trials = new Map()
    this.#seen = 0
    this.#news = []
  }

  #takeIn({ search }: Rule): void {
    const { observations, seen } = observationsSince(this.#setup.journal, this.#seen)
    this.#seen = seen
    for (const observation of observations) {
      const value = observation.state === 'stale' ? null : objectiveOf(observation, search)
      const run = runOf(observation)
      if (value === null || run === null) continue
      const id = trialOf(run)
      const trial = this.#trials.get(id) ?? { run, scores: new Map() }
      this.#trials.set(id, trial)
      // A run that was executed again counts with its present result.
      trial.scores.set(run.name, { step: this.#stepOf(run), value })
    }
  }

  #seriesOf({ run, scores }: Trial, state: Pick<SeriesSoFar, 'isRunning' | 'isComplete'>): SeriesSoFar {
    const values = Array.from(scores.values(), ({ value }) => value)
    return {
      // All trials have the same instances.
      run: { ...run, block: {} },
      ...state,
      steps: Array.from(scores.values(), ({ step }) => step),
      values: this.#rule?.comparesRuns === true ? values : runningMeans(values),
    }
  }

  #stop(id: string, { run, scores }: Trial, reason: string): void {
    const { journal, clock } = this.#setup
    const dropped = stopTrial(journal, id, reason)
    const facts = { run: run.name, trial: id, iteration: scores.size, dropped, reason }
    logEvent(journal, 'stopped_early', facts, clock.now())
    const rest = dropped === 0 ? 'the rest of it is not run' : `${counted(dropped, 'remaining run')} not made`
    this.#news.push(`stopped the trial of ${run.name} after ${counted(scores.size, 'run')}, ${rest}: ${reason}`)
  }

  #stepOf({ block, replicate }: Run): number {
    const instance = canonicalJson({ block, replicate })
    const step = this.#steps.get(instance) ?? this.#steps.size + 1
    this.#steps.set(instance, step)
    return step
  }
}

function runningMeans(values: readonly number[]): readonly number[] {
  let sum = 0
  return values.map((value, index) => {
    sum += value
    return sum / (index + 1)
  })
}

/** A run as planned, from what a journal knows of it. */
function runOf({ key, name, params, ablation, flags, block, replicate, seed }: Observation): Run | null {
  if (key === null || seed === null) return null
  return { key, name, params, ablation, flags, block, replicate, seed }
}
