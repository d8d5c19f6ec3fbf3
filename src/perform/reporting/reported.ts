import type { Reading, Series } from '../../define/run.ts'
import type { Point } from '../../define/target.ts'
import { nameText } from '../../util/words.ts'
import { Track } from './track.ts'

/** The most points of all metrics together; metrics with few are not thinned. */
const mostKept = 1_000_000
const fewPoints = 1_000

/** Names of one run, at most: each is a column of every table. A program that puts a number into the name has a new one at every step. */
export const mostNames = 10_000

/**
 * Everything that a run has reported. Several values of a metric make a series, and the last of them is its value,
 * unless the run sets a final value; each `cost_usd` is an amount spent since the last, so its value is their sum.
 */
export class Reported {
  readonly #byMetric = new Map<string, Metric>()
  #problem: string | null = null
  #kept = 0

  add(point: Point): void {
    const known = this.#metric(point.metric)
    if (known === null) return
    const isCost = point.metric === 'cost_usd'
    if (!Number.isFinite(point.value) || (isCost && point.value < 0)) {
      known.problem = `${point.metric} was reported as ${point.value}`
      return
    }
    if (!isCost) known.problem = null
    known.final = null
    // JSON has no word for any other, and would lose the whole result.
    const step = Number.isFinite(point.step) ? point.step : null
    known.hasSteps ||= step !== null
    const { track } = known
    const before = track.kept
    track.add(step, isCost ? (track.last ?? 0) + point.value : point.value)
    this.#kept += track.kept - before
    if (this.#kept > mostKept) this.#thinAll()
  }

  /** Sets the final value of a metric. What was spent is spent. */
  summarise(metric: string, value: number): void {
    if (metric === 'cost_usd') return
    const track = this.#metric(metric)
    if (track === null) return
    track.problem = Number.isFinite(value) ? null : `${metric} was reported as ${value}`
    track.final = Number.isFinite(value) ? value : null
  }

  /** Why a metric has no value. */
  lacks(metric: string, reason: string): void {
    const track = this.#metric(metric)
    if (track?.track.count === 0) track.problem = reason
  }

  /** The reported sum of a metric is incomplete. */
  isMoreThan(metric: 'cost_usd', reason: string): void {
    const track = this.#metric(metric)
    if (track !== null) track.problem ??= reason
  }

  /**
   * A line that could not be read: it may have contained any metric, so a metric is only known again once it is
   * reported again.
   */
  addProblem(problem: string): void {
    this.#problem ??= problem
    for (const track of this.#byMetric.values()) track.problem ??= problem
  }

  /** The first line that could not be read, or the first name that was one too many. */
  get problem(): string | null {
    return this.#problem
  }

  get metrics(): readonly string[] {
    return [...this.#byMetric.keys()]
  }

  get costUsd(): number | null {
    return this.#byMetric.get('cost_usd')?.track.last ?? null
  }

  reading(metric: string): Reading {
    const track = this.#known(metric)
    if (track === undefined) {
      const perhapsHere = this.#problem === null ? '' : `; ${this.#problem}`
      return { metric, problem: `the run did not report ${metric}${perhapsHere}` }
    }
    const value = track.final ?? track.track.last
    if (track.problem === null && value !== undefined) return { metric, value }
    return { metric, problem: track.problem ?? `${metric} has no value` }
  }

  series(): readonly Series[] {
    return [...this.#byMetric]
      .filter(([, { track, hasSteps }]) => track.count > 1 || (hasSteps && track.count > 0))
      .map(([metric, { track }]) => ({ metric, ...track.series() }))
  }

  /** Series that had more points than are kept: of how many, and every how manieth is. */
  get thinned(): readonly { readonly metric: string; readonly points: number; readonly every: number }[] {
    return [...this.#byMetric]
      .filter(([, { track }]) => track.every > 1)
      .map(([metric, { track }]) => ({ metric, points: track.count, every: track.every }))
  }

  /** Many metrics together may be too much too. */
  #thinAll(): void {
    for (const { track } of this.#byMetric.values()) if (track.kept > fewPoints) track.thin()
    this.#kept = [...this.#byMetric.values()].reduce((sum, { track }) => sum + track.kept, 0)
  }

  /** null: there are too many metrics. The cost counts however many there are. */
  #metric(metric: string): Metric | null {
    const known = this.#known(metric)
    if (known !== undefined) return known
    if (this.#byMetric.size >= mostNames && metric !== 'cost_usd') {
      this.#problem ??= `more than ${mostNames} metrics were reported: "${nameText(metric)}" and all new names after it are left out`
      return null
    }
    const track = { track: new Track(), final: null, problem: null, hasSteps: false }
    this.#byMetric.set(nameText(metric), track)
    return track
  }

  /** A name is one line, from here to every table and sentence that it is in. */
  #known(metric: string): Metric | undefined {
    return this.#byMetric.get(metric) ?? this.#byMetric.get(nameText(metric))
  }
}

interface Metric {
  readonly track: Track
  final: number | null
  problem: string | null
  hasSteps: boolean
}
