import type { DistributionSpec } from '../../../../src/targets/sched-sim/model/distribution-schema.ts'
import type { SimSettings } from '../../../../src/targets/sched-sim/settings.ts'
import { simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'
import { settingsWith } from './settings.ts'

export interface Queue {
  readonly servers: number
  readonly arrivalsPerS: number
  readonly service_ms: DistributionSpec
}

/** A textbook queue as a model: one step on one provider with one tier, workflows that arrive by themselves. */
export function queueSettings(
  { servers, arrivalsPerS, service_ms }: Queue,
  workflows: number,
  seed: number,
): SimSettings {
  const step = { on: 'server', after: [], for_each: [], size: 0, service_ms, critical: false, decides: false }
  const tier = { rate_per_s: null, burst: 1, price: 0, failure: 0, timeout_ms: null, retries: 0, speed: 1 }
  return settingsWith(
    { policy: 'fifo_cheapest', workflows, seed },
    {
      steps: { serve: step },
      providers: { server: { tiers: [{ ...tier, slots: servers }] } },
      arrivals: { poisson_per_s: arrivalsPerS },
      heavy_tail: { probability: 0, multiplier: 1 },
    },
  )
}

/** Mean waits in ms of independent replications, each without its first tenth. */
export function meanWaits(queue: Queue, { workflows, replications }: { workflows: number; replications: number }) {
  return Array.from({ length: replications }, (_, index) => {
    const waits: number[] = []
    simulate(queueSettings(queue, workflows, index + 1), {
      started: (now, { workflow }) => void (workflow.id > workflows / 10 && waits.push(now - workflow.submittedAt)),
    })
    return waits.reduce((sum, wait) => sum + wait, 0) / waits.length
  })
}
