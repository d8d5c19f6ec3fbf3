import { evaluateFormula } from '../model/formula.ts'
import { type Service, serviceOf } from '../model/sampler.ts'
import type { SimSettings } from '../settings.ts'
import type { StepGraph } from './graph/step-graph.ts'
import type { Attempt, Workflow } from './graph/workflow.ts'
import type { Tier } from './queue/tier.ts'
import { Draws } from './random/draws.ts'

type DrawnAttempt = Pick<Attempt, 'durationMs' | 'ending'>

/** Draws how long a call takes and how it ends, and how long to wait before the next try. */
export class AttemptDraws {
  readonly #settings: SimSettings
  readonly #graph: StepGraph
  readonly #draws: Draws
  /** By iteration, then by step. */
  readonly #services: Service[][] = []

  constructor(settings: SimSettings, graph: StepGraph) {
    this.#settings = settings
    this.#graph = graph
    this.#draws = new Draws(settings.seed)
  }

  /** Chances come before the service time, which may take any number of draws: a changed chance moves nothing else. */
  of(workflow: Workflow, node: number, number: number, tier: Tier): DrawnAttempt {
    const draws = this.#draws
    draws.startAt(workflow.id, workflow.iteration, node, number)
    const failure = draws.uniform()
    const ownTail = draws.uniform()
    const heavyTail = draws.uniform()
    const service = this.#service(workflow.iteration, this.#graph.stepOf[node] ?? 0)
    const base = service.sample(draws) * (ownTail < service.tailProbability ? service.tailMultiplier : 1)
    const { heavy_tail, rules } = this.#settings.model
    const heavy = heavyTail < heavy_tail.probability ? heavy_tail.multiplier : 1
    const timeout = tier.spec.timeout_ms ?? Number.POSITIVE_INFINITY
    const beforeTimeout = (rules.timeout_sees_tail ? base * heavy : base) / tier.spec.speed
    const isTimeout = beforeTimeout > timeout
    const durationMs = Math.min(beforeTimeout, timeout) * (rules.timeout_sees_tail ? 1 : heavy)
    if (isTimeout) return { durationMs, ending: 'timeout' }
    return { durationMs, ending: failure < tier.spec.failure ? 'failed' : 'ok' }
  }

  /** Exponential, with jitter downwards. */
  backOffMs(workflow: Workflow, node: number, failures: number): number {
    const { retry, rules } = this.#settings.model
    if (!rules.back_off) return 0
    this.#draws.startAt(workflow.id, workflow.iteration, node, -failures)
    let wait = retry.backoff_ms
    for (let failure = 1; failure < failures; failure++) wait *= retry.factor
    return Math.min(retry.max_ms, wait) * (1 - retry.jitter * this.#draws.uniform())
  }

  #service(iteration: number, step: number): Service {
    let services = this.#services[iteration]
    if (services === undefined) {
      services = this.#servicesOf(iteration)
      this.#services[iteration] = services
    }
    return services[step] as Service
  }

  #servicesOf(iteration: number): Service[] {
    const { pdfs, subqueries, model } = this.#settings
    return Object.values(model.steps).map(({ size, service_ms }) => {
      const scope = { pdfs, subqueries, iteration, size: 0 }
      return serviceOf(service_ms, { ...scope, size: evaluateFormula(size, scope) })
    })
  }
}
