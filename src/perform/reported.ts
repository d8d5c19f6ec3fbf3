import type { Reading, Series } from '../define/run.ts'
import type { Point } from '../define/target.ts'

/**
 * Everything a run has reported. Several values of a metric make a series, and the last of them is its value, unless the
 * run says what it counts as in the end; each `cost_usd` is an amount spent since the last, so its value is their sum.
 */
export class Reported {
  readonly #byMetric = new Map<string, Track>()
  #problem: string | null = null

  add(point: Point): void {
    const track = this.#track(point.metric)
    const isCost = point.metric === 'cost_usd'
    if (!Number.isFinite(point.value) || (isCost && point.value < 0)) {
      track.problem = `${point.metric} was reported as ${point.value}`
      return
    }
    if (!isCost) track.problem = null
    track.final = null
    // JSON has no word for any other, and would lose the whole result.
    const step = Number.isFinite(point.step) ? point.step : null
    track.hasSteps ||= step !== null
    track.steps.push(step ?? track.values.length)
    track.values.push(isCost ? (track.values.at(-1) ?? 0) + point.value : point.value)
  }

  /** What a metric counts as in the end. What was spent is spent. */
  summarise(metric: string, value: number): void {
    if (metric === 'cost_usd') return
    const track = this.#track(metric)
    track.problem = Number.isFinite(value) ? null : `${metric} was reported as ${value}`
    track.final = Number.isFinite(value) ? value : null
  }

  /** Why a metric has no value, where it has none. */
  lacks(metric: string, reason: string): void {
    const track = this.#track(metric)
    if (track.values.length === 0) track.problem = reason
  }

  /** What was reported of a metric that adds up is only part of it. */
  isMoreThan(metric: 'cost_usd', reason: string): void {
    this.#track(metric).problem ??= reason
  }

  /** A line that could not be read: it may have held any metric, so only one that is reported again is known again. */
  addProblem(problem: string): void {
    this.#problem ??= problem
    for (const track of this.#byMetric.values()) track.problem ??= problem
  }

  /** The first line that could not be read. */
  get problem(): string | null {
    return this.#problem
  }

  get metrics(): readonly string[] {
    return [...this.#byMetric.keys()]
  }

  get costUsd(): number | null {
    return this.#byMetric.get('cost_usd')?.values.at(-1) ?? null
  }

  reading(metric: string): Reading {
    const track = this.#byMetric.get(metric)
    if (track === undefined) {
      const perhapsHere = this.#problem === null ? '' : `; ${this.#problem}`
      return { metric, problem: `the run did not report ${metric}${perhapsHere}` }
    }
    const value = track.final ?? track.values.at(-1)
    if (track.problem === null && value !== undefined) return { metric, value }
    return { metric, problem: track.problem ?? `${metric} has no value` }
  }

  series(): readonly Series[] {
    return [...this.#byMetric]
      .filter(([, track]) => track.values.length > 1 || (track.hasSteps && track.values.length > 0))
      .map(([metric, { steps, values }]) => ({ metric, steps, values }))
  }

  #track(metric: string): Track {
    let track = this.#byMetric.get(metric)
    if (track === undefined) {
      track = { steps: [], values: [], final: null, problem: null, hasSteps: false }
      this.#byMetric.set(metric, track)
    }
    return track
  }
}

interface Track {
  readonly steps: number[]
  readonly values: number[]
  final: number | null
  problem: string | null
  hasSteps: boolean
}
