import { expect, test } from 'vitest'
import type { SimSettings } from '../../../../src/targets/sched-sim/settings.ts'
import { policies } from '../../../../src/targets/sched-sim/settings.ts'
import { type Recording, record } from '../support/record.ts'
import { settingsWith } from '../support/settings.ts'

const ablations = ['disable_dag_priority', 'disable_escalation', 'disable_hedging'] as const

const dearCalls = ({ started, result }: Recording) => {
  const dear = result.resources.flatMap(({ tiers }) => tiers.slice(1))
  return started.filter(({ attempt }) => dear.includes(attempt.tier) && !attempt.isHedge).length
}
const hedges = ({ started }: Recording) => started.filter(({ attempt }) => attempt.isHedge).length

/** Order in which calls on the cheap LLM tier started. */
const orderOf = ({ started }: Recording) =>
  started.filter(({ attempt }) => attempt.tier.name === 'llm_provider_0').map(({ key }) => key)

const sameRun = (a: Recording, b: Recording) =>
  JSON.stringify(a.started.map(({ at, key, attempt }) => [at, key, attempt.tier.name])) ===
  JSON.stringify(b.started.map(({ at, key, attempt }) => [at, key, attempt.tier.name]))

const run = (policy: string, more: Partial<Record<keyof SimSettings, boolean>> = {}) =>
  record(settingsWith({ policy, workflows: 15, ...more }))

test('all policies differ', () => {
  const runs = policies.map(policy => run(policy))
  runs.forEach((one, index) => {
    for (const other of runs.slice(index + 1)) expect(sameRun(one, other)).toBe(false)
  })
})

test.each(['fifo_cheapest', 'dag_cheapest'])('%s uses only the cheapest tiers', policy => {
  expect(dearCalls(run(policy))).toBe(0)
  expect(hedges(run(policy))).toBe(0)
})

test('dag_escalation uses expensive tiers for critical steps, and hedges nothing', () => {
  const escalated = run('dag_escalation')
  expect(dearCalls(escalated)).toBeGreaterThan(100)
  expect(hedges(escalated)).toBe(0)
  const { result, started, settings } = escalated
  for (const { node, attempt } of started) {
    if (attempt.tier.index === 0) continue
    const step = result.graph.steps[result.graph.stepOf[node] ?? 0] ?? ''
    expect(settings.model.steps[step]?.critical).toBe(true)
  }
})

test('full also hedges', () => {
  expect(dearCalls(run('full'))).toBeGreaterThan(100)
  expect(hedges(run('full'))).toBeGreaterThan(10)
})

test.each([
  ['disable_hedging', 'full', 'dag_escalation'],
  ['disable_escalation', 'dag_escalation', 'dag_cheapest'],
  ['disable_dag_priority', 'dag_cheapest', 'fifo_cheapest'],
])('%s turns %s into exactly %s', (flag, policy, lesser) => {
  expect(sameRun(run(policy, { [flag]: true }), run(lesser))).toBe(true)
})

test('each flag turns off its own part of full and keeps the others', () => {
  const full = run('full')
  const noHedging = run('full', { disable_hedging: true })
  expect([hedges(noHedging), dearCalls(noHedging) > 100]).toEqual([0, true])
  const noEscalation = run('full', { disable_escalation: true })
  expect([hedges(noEscalation) > 10, dearCalls(noEscalation)]).toEqual([true, 0])
  const noPriority = run('full', { disable_dag_priority: true })
  expect([hedges(noPriority) > 10, dearCalls(noPriority) > 100]).toEqual([true, true])
  expect(orderOf(noPriority)).not.toEqual(orderOf(full))
})

test.each(policies)('a flag turns off a part of %s that it has, and no other', policy => {
  const lacking: readonly string[] = {
    fifo_cheapest: ablations,
    dag_cheapest: ['disable_escalation', 'disable_hedging'],
    dag_escalation: ['disable_hedging'],
    full: [],
  }[policy]
  const untouched = ablations.filter(flag => sameRun(run(policy, { [flag]: true }), run(policy)))
  expect(untouched.toSorted()).toEqual(lacking.toSorted())
})

test('without routing nothing is escalated or hedged: only the order differs', () => {
  const without = (policy: string) => run(policy, { enable_model_routing: false })
  for (const policy of ['dag_escalation', 'full'] as const)
    expect(sameRun(without(policy), without('dag_cheapest'))).toBe(true)
  expect(sameRun(without('dag_cheapest'), without('fifo_cheapest'))).toBe(false)
  expect(dearCalls(without('full'))).toBe(0)
})

test('without routing the first declared tier is used, whatever its price; with routing the cheapest', () => {
  const settings = settingsWith({ policy: 'fifo_cheapest', workflows: 3 })
  const [cheap, dear] = settings.model.providers.llm_provider?.tiers ?? []
  if (cheap === undefined || dear === undefined) throw new Error('two tiers expected')
  const providers = { ...settings.model.providers, llm_provider: { tiers: [dear, cheap] } }
  const pricesOf = (enable_model_routing: boolean) => {
    const { started, result } = record({ ...settings, enable_model_routing, model: { ...settings.model, providers } })
    expect(result.workflows.every(({ totals }) => totals.escalations === 0)).toBe(true)
    return new Set(
      started.filter(({ attempt }) => attempt.tier.owner === 'llm_provider').map(({ attempt }) => attempt.price),
    )
  }
  expect(pricesOf(false)).toEqual(new Set([dear.price]))
  expect(pricesOf(true)).toEqual(new Set([cheap.price]))
})

test('with spill even the cheapest policies use an expensive tier when the cheap one is full', () => {
  for (const policy of ['fifo_cheapest', 'dag_cheapest'])
    for (const enable_model_routing of [true, false])
      expect(
        dearCalls(record(settingsWith({ policy, workflows: 15, spill: true, enable_model_routing }))),
      ).toBeGreaterThan(100)
})

test('first come, first served is per workflow', () => {
  const { started, happenings, result } = run('fifo_cheapest')
  const waiting = new Map<string, { workflow: number; owner: string }>()
  const owners = new Map(result.resources.map(({ name }) => [name, name]))
  for (const happening of happenings) {
    if (happening.kind === 'queued')
      waiting.set(happening.key, { workflow: happening.workflow, owner: owners.get(happening.resource) ?? '' })
    if (happening.kind !== 'started') continue
    waiting.delete(happening.key)
    for (const other of waiting.values())
      if (other.owner === happening.attempt.tier.owner)
        expect(other.workflow).toBeGreaterThanOrEqual(happening.workflow)
  }
  expect(started.length).toBeGreaterThan(1000)
})

test('equals are served in order of arrival, critical or not', () => {
  const settings = settingsWith({ policy: 'fifo_cheapest', workflows: 1 })
  const step = { on: 'cpu', after: [], for_each: [], size: 0, service_ms: 10, decides: false }
  const steps = { plain: { ...step, critical: false }, critical: { ...step, critical: true } }
  const { started } = record({ ...settings, model: { ...settings.model, steps, local: { cpu: { slots: 1 } } } })
  expect(started.map(({ node }) => node)).toEqual([0, 1])
})
