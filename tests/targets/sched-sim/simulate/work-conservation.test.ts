import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policies, type SimSettings } from '../../../../src/targets/sched-sim/settings.ts'
import { arbitrarySimulation, sameExamples } from '../support/arbitrary-simulation.ts'
import { type Recording, record } from '../support/record.ts'
import { Replay } from '../support/replay.ts'
import { settingsWith } from '../support/settings.ts'

/** Rounding of a token's time. */
const hairMs = 1e-3

/** Between one moment and the next, no usable slot was free while a node waited that may use it. */
function expectNoneIdle(recording: Recording): void {
  const { happenings, result } = recording
  const replay = new Replay(recording)
  happenings.forEach((happening, index) => {
    replay.take(happening)
    const next = happenings[index + 1]?.at ?? happening.at
    if (next === happening.at) return
    for (const resource of result.resources)
      for (const tier of resource.tiers)
        if (replay.hasEligible(resource, tier))
          expect(replay.freeFrom(tier, happening.at) + hairMs, `${tier.name} idle at ${happening.at}`).toBeGreaterThan(
            next,
          )
  })
}

// A node whose workflow can't pay an expensive tier is not eligible for it; without a budget, events show which are.
const withoutBudget = (settings: SimSettings): SimSettings => ({
  ...settings,
  model: { ...settings.model, budget_per_workflow: null },
})

test('no slot is idle while an eligible node waits, for any workload', () => {
  fc.assert(
    fc.property(arbitrarySimulation, settings => expectNoneIdle(record(withoutBudget(settings)))),
    sameExamples,
  )
})

test('with a budget, the first tier is never idle while anything waits for it', () => {
  fc.assert(
    fc.property(arbitrarySimulation, ({ model, ...settings }) =>
      expectNoneIdle(
        record({ ...settings, disable_escalation: true, model: { ...model, rules: { ...model.rules, spill: false } } }),
      ),
    ),
    sameExamples,
  )
})

test('without spill an expensive tier is used only if it is worth its price', () => {
  const withoutSpill = ({ model, ...settings }: SimSettings): SimSettings => ({
    ...settings,
    model: { ...model, rules: { ...model.rules, spill: false } },
  })
  fc.assert(
    fc.property(arbitrarySimulation, settings => {
      const recording = record(withoutSpill(settings))
      const replay = new Replay(recording)
      for (const happening of recording.happenings) {
        if (happening.kind === 'started' && !happening.attempt.isHedge) {
          const { tier } = happening.attempt
          const resource = recording.result.resources.find(({ name }) => name === tier.owner)
          if (resource !== undefined && tier !== resource.first)
            expect(replay.isWorthIt(resource, tier, happening.node)).toBe(true)
        }
        replay.take(happening)
      }
    }),
    sameExamples,
  )
})

test.each(policies)('no slot is idle in the default model under %s', policy => {
  expectNoneIdle(record(settingsWith({ policy, workflows: 6 })))
  expectNoneIdle(record(settingsWith({ policy, workflows: 6, original_rules: true })))
})
