import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policies } from '../../../../src/targets/sched-sim/settings.ts'
import { arbitrarySimulation, sameExamples } from '../support/arbitrary-simulation.ts'
import { type Recording, record } from '../support/record.ts'
import { settingsWith } from '../support/settings.ts'

/** Calls in flight on average = calls per time × mean time of a call. */
function expectOnTiers({ result, ended }: Recording): void {
  for (const tier of result.resources.flatMap(({ tiers }) => tiers)) {
    const own = ended.filter(({ attempt }) => attempt.tier === tier)
    const elapsed = Math.max(1, result.endMs)
    const throughput = own.length / elapsed
    const meanTime = own.reduce((sum, { at, attempt }) => sum + at - attempt.startedAt, 0) / Math.max(1, own.length)
    expect(tier.totals.busy_ms / elapsed).toBeCloseTo(throughput * meanTime, 6)
  }
}

/** Average number of waiting nodes × time = sum of all waits, including abandoned ones. */
function expectInQueues({ result, happenings }: Recording): void {
  for (const resource of result.resources) {
    const since = new Map<string, number>()
    let waited = 0
    const leave = (key: string, at: number) => {
      waited += at - (since.get(key) ?? at)
      since.delete(key)
    }
    for (const happening of happenings) {
      if (happening.kind === 'queued' && happening.resource === resource.name) since.set(happening.key, happening.at)
      if (happening.kind === 'started' && !happening.attempt.isHedge) leave(happening.key, happening.at)
      if (happening.kind === 'done')
        for (const key of since.keys()) if (key.startsWith(`${happening.workflow}/`)) leave(key, happening.at)
    }
    expect(since.size).toBe(0)
    expect(resource.queue.lengthIntegral(result.endMs)).toBeCloseTo(waited, 4)
  }
}

test.each(policies)('holds on every tier and queue under %s', policy => {
  const recording = record(settingsWith({ policy, workflows: 20 }))
  expectOnTiers(recording)
  expectInQueues(recording)
})

test('holds on every tier of any workload', () => {
  fc.assert(
    fc.property(arbitrarySimulation, settings => expectOnTiers(record(settings))),
    sameExamples,
  )
})

test('holds in every queue of any workload', () => {
  fc.assert(
    fc.property(arbitrarySimulation, settings => expectInQueues(record(settings))),
    sameExamples,
  )
})
