import { expect, test } from 'vitest'
import { partsOf, type SimSettings } from '../../../../../src/targets/sched-sim/settings.ts'
import { Estimates } from '../../../../../src/targets/sched-sim/simulate/estimates.ts'
import { stepGraph } from '../../../../../src/targets/sched-sim/simulate/graph/step-graph.ts'
import { type Ready, Workflow } from '../../../../../src/targets/sched-sim/simulate/graph/workflow.ts'
import { agePerMs, scorer } from '../../../../../src/targets/sched-sim/simulate/queue/priority.ts'
import { ReadyQueue } from '../../../../../src/targets/sched-sim/simulate/queue/ready-queue.ts'
import { resourcesOf } from '../../../../../src/targets/sched-sim/simulate/queue/resource.ts'
import type { Tier } from '../../../../../src/targets/sched-sim/simulate/queue/tier.ts'
import type { JsonObject } from '../../../../../src/util/json.ts'
import { record } from '../../support/record.ts'
import { settingsWith } from '../../support/settings.ts'

function scoring(settings: SimSettings) {
  const graph = stepGraph(settings.model, settings)
  const resources = resourcesOf({ settings, agePerMs: 0 })
  const first = Object.values(settings.model.steps).map(({ on }) => resources.get(on)?.first as Tier)
  const score = scorer(settings, partsOf(settings), new Estimates(graph, settings.model, first))
  const workflow = new Workflow(7, 0, graph)
  return { workflow, of: (step: string) => score(workflow, graph.steps.indexOf(step)) }
}

test('the score is the critical path, half a point for no slack, and a tenth of the age', () => {
  const settings = settingsWith({ policy: 'dag_cheapest', iters: 1 })
  const { of, workflow } = scoring(settings)
  expect(of('Plan')).toEqual({ fixed: 800.5, isAgeing: false })
  workflow.startedAt = 5_000
  expect(of('Plan')).toEqual({ fixed: 800.5 - 500, isAgeing: true })
  expect(of('DecideNext')).toEqual({ fixed: 100 + 0.5 / 701 - 500, isAgeing: true })
  expect(agePerMs(settings, partsOf(settings))).toBe(0.1)
})

test.each<JsonObject>([{ policy: 'fifo_cheapest' }, { disable_dag_priority: true }])(
  '%o: the earlier workflow goes first',
  params => {
    const settings = settingsWith(params)
    expect(scoring(settings).of('DecideNext')).toEqual({ fixed: -7, isAgeing: true })
    expect(agePerMs(settings, partsOf(settings))).toBe(0)
  },
)

test('aging nodes overtake others', () => {
  const queue = new ReadyQueue(0.1)
  const ready = (place: number): Ready => ({
    workflow: scoring(settingsWith()).workflow,
    node: 0,
    step: 0,
    since: 0,
    place,
    reach: 1,
    isGone: false,
  })
  const [young, old] = [ready(0), ready(1)]
  queue.add(young, { fixed: 100, isAgeing: false }, 0)
  queue.add(old, { fixed: -50, isAgeing: true }, 0)
  expect(queue.next(1_000, () => true)).toBe(young)
  expect(queue.next(2_000, () => true)).toBe(old)
})

test('the longer chain goes first under a critical path, the earlier one under first come, first served', () => {
  const step = { on: 'cpu', for_each: [], size: 0, service_ms: 100, critical: false, decides: false }
  const steps = {
    short: { ...step, after: [] },
    long: { ...step, after: [] },
    longer: { ...step, after: ['long'] },
  }
  const orderOf = (policy: string) =>
    record(settingsWith({ policy, workflows: 1 }, { steps, local: { cpu: { slots: 1 } } })).started.map(
      ({ node }) => node,
    )
  expect(orderOf('dag_cheapest')[0]).toBe(1)
  expect(orderOf('fifo_cheapest')[0]).toBe(0)
})

test('once a workflow has started, its other waiting nodes age too', () => {
  const step = { for_each: [], size: 0, service_ms: 100, critical: false, decides: false }
  const steps = {
    root: { ...step, on: 'cpu', after: [], for_each: ['pdfs' as const] },
    load: { ...step, on: 'io', after: [] },
    use: { ...step, on: 'cpu', after: ['load'] },
  }
  const arrivals = { poisson_per_s: 0.5 }
  const local = { cpu: { slots: 1 }, io: { slots: 1 } }
  const { started, result } = record(
    settingsWith({ policy: 'dag_cheapest', workflows: 2, pdfs: 60 }, { steps, arrivals, local }),
  )
  const onCpu = started.filter(({ attempt }) => attempt.tier.name === 'cpu')
  const lastOfFirst = onCpu.findLast(({ workflow }) => workflow === 1)
  const firstOfSecond = onCpu.find(({ workflow }) => workflow === 2)
  // The younger workflow came, and had a step that ages, while roots of the older one waited from before its start.
  expect(result.workflows.find(({ id }) => id === 2)?.startedAt).toBeLessThan((lastOfFirst?.at ?? 0) - 200)
  expect(firstOfSecond?.at).toBeGreaterThan(lastOfFirst?.at ?? 0)
})
