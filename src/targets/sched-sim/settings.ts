import type { Model } from './model/model-schema.ts'

export const policies = ['fifo_cheapest', 'dag_cheapest', 'dag_escalation', 'full'] as const
export type Policy = (typeof policies)[number]

/** One simulation, completely. */
export interface SimSettings {
  readonly workflows: number
  readonly pdfs: number
  /** Iterations at most. */
  readonly iters: number
  readonly subqueries: number
  readonly seed: bigint
  readonly policy: Policy
  readonly enable_model_routing: boolean
  readonly disable_hedging: boolean
  readonly disable_escalation: boolean
  readonly disable_dag_priority: boolean
  readonly model: Model
}

/** The parts of a policy, each of which can be turned off separately. */
export interface Parts {
  readonly dagPriority: boolean
  readonly escalation: boolean
  readonly hedging: boolean
  readonly spill: boolean
}

/** Without model routing every call goes to its provider's first tier: there is nothing to escalate or hedge to. */
export function partsOf(settings: SimSettings): Parts {
  const { policy, enable_model_routing: routing, model } = settings
  return {
    dagPriority: policy !== 'fifo_cheapest' && !settings.disable_dag_priority,
    escalation: routing && (policy === 'dag_escalation' || policy === 'full') && !settings.disable_escalation,
    hedging: routing && policy === 'full' && !settings.disable_hedging,
    spill: model.rules.spill,
  }
}
