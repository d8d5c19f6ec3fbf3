import type { Experiment } from '../../define/experiment.ts'
import type { StopReason } from '../../define/outcome.ts'
import type { Job } from '../../define/run.ts'
import type { Point } from '../../define/target.ts'
import { countsVariants } from '../../plan/identity.ts'
import { type SeriesSoFar, type Stopper, stopperFor } from '../../plan/stoppers/registry.ts'
import { logEvent } from '../../record/journal/experiment-row.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { seriesElsewhere, settledSeries, shareSeries } from '../../record/read/activity.ts'
import { indexNews } from '../../record/read/observations.ts'
import { SmallMap } from '../../util/collections.ts'
import type { Clock } from '../../util/time.ts'

/** How often runs are judged at most: often enough for short runs, rarely enough to cost nothing. */
const judgeEveryMs = 400

interface EarlyStoppingSetup {
  readonly journal: Journal
  readonly workerId: number
  readonly clock: Clock
  readonly stop: (token: string, reason: StopReason) => void
}

/** The current rule. */
interface Rule {
  readonly stopper: Stopper
  readonly metric: string
}

/** A run of this process, and the values that it has reported of the rule's metric. */
interface Track {
  readonly job: Job
  readonly metric: string
  readonly steps: number[]
  readonly values: number[]
  /** A single value without steps is not a series. */
  hasSteps: boolean
  /** How many of its values other processes can see. */
  shared: number
  isStopped: boolean
}

/**
 * Ends runs that a stopper gives up. Each process judges its own runs by the reports of all runs; so it also records
 * the reports of its own running runs for the others.
 */
export class EarlyStopping {
  readonly #setup: EarlyStoppingSetup
  readonly #tracks = new SmallMap<string, Track>()
  #written = ''
  #rule: Rule | null = null
  #settled = new Map<string, SeriesSoFar>()
  #seen = 0
  #isNews = false
  #next = 0

  constructor(setup: EarlyStoppingSetup) {
    this.#setup = setup
  }

  /** The experiment's current rule. Another process has changed the journal, which may contain better runs now. */
  follow(experiment: Pick<Experiment, 'search' | 'stoppers' | 'folder'>): void {
    this.#isNews = true
    // If variants are counted, trials are stopped instead: see TrialStopping.
    const search = countsVariants(experiment) ? undefined : experiment.search
    const { early_stop = null, metric = null, goal = null } = search ?? {}
    const written = JSON.stringify([early_stop, metric, goal, experiment.stoppers])
    if (written === this.#written) return
    this.#written = written
    this.#settled = new Map()
    this.#seen = 0
    this.#rule =
      early_stop === null || metric === null || goal === null
        ? null
        : { stopper: stopperFor(early_stop, goal, experiment), metric }
  }

  hear(job: Job, { metric, value, step }: Point): void {
    if (metric !== this.#rule?.metric || !Number.isFinite(value)) return
    const track = this.#tracks.get(job.token) ?? newTrack(job, metric)
    this.#tracks.set(job.token, track)
    track.hasSteps ||= step !== null
    track.steps.push(step ?? track.values.length)
    track.values.push(value)
    this.#isNews = true
  }

  /** The run has ended. */
  forget({ token }: Job): void {
    if (this.#tracks.delete(token)) this.#isNews = true
  }

  judge(): void {
    const { journal, workerId, clock } = this.#setup
    const now = clock.elapsed()
    if (this.#rule === null || this.#tracks.size === 0 || !this.#isNews || now < this.#next) return
    this.#next = now + judgeEveryMs
    const { metric, stopper } = this.#rule
    const tracks = [...this.#tracks.values()].filter(track => track.metric === metric)
    const running = tracks.filter(({ isStopped }) => !isStopped).map(seriesOf)
    const all = [...this.#settledSeries(metric), ...seriesElsewhere(journal, metric, workerId), ...tracks.map(seriesOf)]
    const stops = new Map(stopper(running, all).map(({ run, reason }) => [run, reason]))
    for (const track of tracks) this.#stop(track, stops.get(track.job.run.name))
    journal.transaction(() => {
      for (const track of tracks) this.#share(track)
    })
    // Not earlier: if the journal can't be written, this is retried.
    this.#isNews = false
  }

  #settledSeries(metric: string): Iterable<SeriesSoFar> {
    const { journal } = this.#setup
    if (this.#seen === 0) indexNews(journal)
    const { series, seen } = settledSeries(journal, metric, this.#seen)
    this.#seen = seen
    for (const one of series) this.#settled.set(one.run.name, one)
    return this.#settled.values()
  }

  #stop(track: Track, reason: string | undefined): void {
    if (reason === undefined || track.isStopped) return
    const { journal, clock, stop } = this.#setup
    const { run, attempt, token } = track.job
    logEvent(journal, 'stopped_early', { run: run.name, attempt, iteration: track.values.length, reason }, clock.now())
    track.isStopped = true
    stop(token, { kind: 'stopped_early', message: reason })
  }

  #share(track: Track): void {
    const { values, steps, metric } = track
    if (track.shared === values.length || (values.length === 1 && !track.hasSteps)) return
    track.shared = values.length
    const { journal, workerId } = this.#setup
    shareSeries(journal, { token: track.job.token, workerId }, { metric, steps, values })
  }
}

const newTrack = (job: Job, metric: string): Track => ({
  job,
  metric,
  steps: [],
  values: [],
  hasSteps: false,
  shared: 0,
  isStopped: false,
})

const seriesOf = ({ job, steps, values }: Track): SeriesSoFar => ({
  run: job.run,
  isRunning: true,
  isComplete: false,
  steps,
  values,
})
