import { describe, expect, it } from 'vitest'
import type { ExogenousEvent, Metric, Scenario } from '../../../../src/targets/scenario/scenario.ts'
import type { TurnRecord } from '../../../../src/targets/scenario/state/state.ts'
import { eventsOfTurn } from '../../../../src/targets/scenario/turn/events.ts'

const metrics: readonly Metric[] = [
  {
    ...{ name: 'trust', description: '', type: 'float', unit: null, categories: [], range: null, aggregation: 'last' },
    ...{ warning: null, critical: null, from: { kind: 'world' }, extraction: { kind: 'line' } },
  },
]

const event = (name: string, when: ExogenousEvent['when'], once = false): ExogenousEvent => ({
  name,
  once,
  when,
  effects: [{ turns: null, text: name }],
})

/** In which of these turns each event happens; `trust` is known from the turn before. */
function happening(
  events: readonly ExogenousEvent[],
  turns: number,
  { seed = 1, trust = (_: number): number => 5, world = 'Calm.' } = {},
) {
  // Only events and metrics matter here.
  const scenario = { events, metrics, actors: [] } as unknown as Scenario
  const played: TurnRecord[] = []
  const found: { [name: string]: number[] } = Object.fromEntries(events.map(({ name }) => [name, []]))
  for (let turn = 1; turn <= turns; turn++) {
    const known = new Map(turn === 1 ? [] : [['trust', trust(turn - 1)] as const])
    const state = { seed, initial_world_state: world, branched_from: null, turns: played }
    const now = eventsOfTurn(turn, scenario, state, known)
    for (const { name } of now) found[name]?.push(turn)
    played.push({
      ...{
        turn,
        events: now,
        summary: null,
        talks: [],
        coalitions: [],
        decisions: [],
        metrics: [],
        checks: [],
        remarks: [],
        calls: [],
      },
      world: { state: world, key_changes: '', consequences: '', raw: '' },
    })
  }
  return found
}

describe('events', () => {
  it('are scheduled, repeating trends, conditional on the previous turn, or random by seed and turn', () => {
    const found = happening(
      [
        event('vote', { kind: 'scheduled', at: [2, 4] }),
        event('trend', { kind: 'trend', frequency: 3, probability: 1, turns: [2, 9] }),
        event(
          'protest',
          { kind: 'conditional', turns: null, conditions: [{ kind: 'metric', expression: 'trust < 3' }] },
          true,
        ),
        event('never', { kind: 'random', probability: 0, turns: null }),
        event('always', { kind: 'random', probability: 1, turns: [3, 5] }),
        event('once', { kind: 'random', probability: 1, turns: null }, true),
        event(
          'seen',
          { kind: 'conditional', turns: null, conditions: [{ kind: 'world', patterns: ['calm', 'CALM'] }] },
          true,
        ),
      ],
      10,
      { trust: turn => (turn >= 4 ? 2 : 5) },
    )
    expect(found).toEqual({
      vote: [2, 4],
      trend: [2, 5, 8],
      protest: [5],
      never: [],
      always: [3, 4, 5],
      once: [1],
      seen: [1],
    })
  })

  it('happen with their probability, and differ from seed to seed', () => {
    const events = [event('rain', { kind: 'random', probability: 0.3, turns: null })]
    const counts = Array.from({ length: 20 }, (_, seed) => happening(events, 100, { seed }).rain?.length ?? 0)
    const all = counts.reduce((sum, count) => sum + count, 0)
    // 2000 draws: 600 ± 4 standard deviations of 20.5.
    expect(all).toBeGreaterThan(518)
    expect(all).toBeLessThan(682)
    expect(new Set(counts).size).toBeGreaterThan(5)
    expect(happening(events, 100, { seed: 3 })).toEqual(happening(events, 100, { seed: 3 }))
  })

  it('with effects by turn have that of the turn, and none outside', () => {
    const hype: ExogenousEvent = {
      ...event('hype', { kind: 'trend', frequency: 1, probability: 1, turns: null }),
      effects: [
        { turns: [1, 2], text: 'praise' },
        { turns: [4, 5], text: 'blame' },
      ],
    }
    expect(happening([hype], 6)).toEqual({ hype: [1, 2, 4, 5] })
  })
})
