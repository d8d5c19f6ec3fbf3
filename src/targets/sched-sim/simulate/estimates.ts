import type { Model } from '../model/model-schema.ts'
import type { StepGraph } from './graph/step-graph.ts'
import type { Workflow } from './graph/workflow.ts'
import type { Tier } from './queue/tier.ts'
import { RollingQuantiles } from './rolling-quantiles.ts'

/** The scheduler's estimates of service times, and the critical paths derived from them. */
export class Estimates {
  readonly #graph: StepGraph
  readonly #model: Model
  /** By step, then by tier. */
  readonly #samples: Map<Tier, RollingQuantiles>[]
  readonly #first: readonly Tier[]
  readonly #paths: Float64Array
  /** From the start of an iteration to its end. */
  #iterationPath = 0
  #isStale = true
  #decisions = 0
  #continued = 0

  /** `first`: the tier by which each step is judged. */
  constructor(graph: StepGraph, model: Model, first: readonly Tier[]) {
    this.#graph = graph
    this.#model = model
    this.#first = first
    this.#samples = graph.steps.map(() => new Map())
    this.#paths = new Float64Array(graph.steps.length)
  }

  learn(step: number, tier: Tier, durationMs: number): void {
    const byTier = this.#samples[step]
    let samples = byTier?.get(tier)
    if (samples === undefined) {
      samples = new RollingQuantiles(this.#model.estimates.window)
      byTier?.set(tier, samples)
    }
    samples.add(durationMs)
    if (tier === this.#first[step]) this.#isStale = true
  }

  learnDecision(goesOn: boolean): void {
    this.#decisions++
    if (goesOn) this.#continued++
    this.#isStale = true
  }

  /** For a tier that was never used: the first tier's time, at its own speed. */
  median(step: number, tier: Tier): number {
    const known = this.#samples[step]?.get(tier)?.quantile(0.5)
    if (known !== undefined) return known
    const first = this.#first[step]
    if (first === undefined || tier === first) return this.#model.estimates.initial_ms
    return (this.median(step, first) * first.spec.speed) / tier.spec.speed
  }

  /** From how long on a call is a straggler; infinite until enough calls have been seen. */
  stragglerMs(step: number, tier: Tier): number {
    const { min_samples, after_p95 } = this.#model.hedging
    const samples = this.#samples[step]?.get(tier)
    if (samples === undefined || samples.count < min_samples) return Number.POSITIVE_INFINITY
    return after_p95 * (samples.quantile(0.95) ?? Number.POSITIVE_INFINITY)
  }

  /** The longest chain of estimates from the start of a step to the end of the workflow, in ms. */
  remainingPath(step: number, workflow: Workflow, iters: number): number {
    this.#refresh()
    const path = this.#paths[step] ?? 0
    if (!this.#model.rules.gates_count || this.#graph.decider < 0 || workflow.iteration + 1 >= iters) return path
    // A step before the decision also gates another iteration, weighted by how often workflows continued so far
    // (Laplace's rule).
    return path + ((this.#continued + 1) / (this.#decisions + 2)) * this.#iterationPath
  }

  /** How much later a step could start without delaying its workflow. */
  slack(step: number, workflow: Workflow): number {
    this.#refresh()
    let longest = 0
    for (const other of this.#graph.order)
      if ((workflow.unfinished[other] ?? 0) > 0) longest = Math.max(longest, this.#paths[other] ?? 0)
    return Math.max(0, longest - (this.#paths[step] ?? 0))
  }

  #longest(steps: readonly number[]): number {
    return steps.reduce((longest, step) => Math.max(longest, this.#paths[step] ?? 0), 0)
  }

  #refresh(): void {
    if (!this.#isStale) return
    this.#isStale = false
    const { order, stepsAfter, decider } = this.#graph
    for (const step of order.toReversed()) {
      const own = this.median(step, this.#first[step] as Tier)
      // In Cascade's simulator the Plan has no successors yet when it is scored, and so seems to gate nothing.
      const isBlind = !this.#model.rules.gates_count && step === order[0] && decider >= 0
      this.#paths[step] = own + (isBlind ? 0 : this.#longest(stepsAfter[step] ?? []))
    }
    this.#iterationPath = this.#longest(order)
  }
}
