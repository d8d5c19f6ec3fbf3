import { test } from 'vitest'
import { simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'
import { expectWithin } from '../../../stats/close.ts'
import { expectWithin99 } from '../support/interval.ts'
import { meanWaits, queueSettings } from '../support/queue.ts'

const serviceMs = 500

/** The chance that an arrival waits in an M/M/c queue, from Erlang's loss formula by its stable recursion. */
function erlangC(servers: number, offered: number): number {
  let blocked = 1
  for (let server = 1; server <= servers; server++) blocked = (offered * blocked) / (server + offered * blocked)
  const load = offered / servers
  return blocked / (1 - load * (1 - blocked))
}

const queueOf = (servers: number, load: number) => ({
  servers,
  arrivalsPerS: (load * servers * 1000) / serviceMs,
  service_ms: { kind: 'exponential' as const, mean: serviceMs },
})

test.each([
  [1, 0.5],
  [1, 0.8],
  [2, 0.7],
  [4, 0.6],
  [4, 0.85],
  [10, 0.8],
])('%i servers at load %f wait as Erlang C predicts', (servers, load) => {
  const waits = meanWaits(queueOf(servers, load), {
    workflows: load < 0.8 ? 5_000 : 10_000,
    replications: load < 0.8 ? 12 : 24,
  })
  const chance = erlangC(servers, load * servers)
  expectWithin99(waits, (chance * serviceMs) / (servers * (1 - load)))
})

test('servers are as busy as the load predicts', () => {
  const { resources, endMs } = simulate(queueSettings(queueOf(4, 0.6), 40_000, 1))
  const [tier] = resources[0]?.tiers ?? []
  // Both the time between 40,000 arrivals and their service are sums of that many exponential times.
  expectWithin((tier?.totals.busy_ms ?? 0) / (4 * endMs), 0.6, 0.6 * Math.sqrt(2 / 40_000))
})
