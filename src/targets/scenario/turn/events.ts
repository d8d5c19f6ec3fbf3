import { mixSeed, seededRandom } from '../../../util/random.ts'
import { holds, type MetricValue, readableNames } from '../metrics/expression.ts'
import { lastMatches } from '../metrics/timed-match.ts'
import { worldBefore } from '../prompts/history.ts'
import type { EventCondition, ExogenousEvent, Scenario, TurnRange } from '../scenario.ts'
import type { PlayedTurns, TurnRecord } from '../state/state.ts'

/**
 * The events of a turn. They are drawn from the run's seed and the turn alone, so a resumed run has the same ones;
 * conditional ones use what is known after the previous turn.
 */
export function eventsOfTurn(
  turn: number,
  scenario: Scenario,
  played: PlayedTurns,
  known: ReadonlyMap<string, MetricValue>,
): TurnRecord['events'] {
  const names = readableNames(scenario.metrics, scenario.actors)
  return scenario.events.flatMap((event, at) => {
    const text = effectAt(event, turn)
    const hasBeen = played.turns.some(({ events }) => events.some(({ name }) => name === event.name))
    if (text === null || (event.once && hasBeen)) return []
    const draw = seededRandom(mixSeed('event', played.seed, turn, at, event.name)).next()
    return happens(event, { turn, draw, met: one => isMet(one, { turn, known, names, world: worldBefore(played) }) })
      ? [{ name: event.name, text }]
      : []
  })
}

const effectAt = ({ effects }: ExogenousEvent, turn: number): string | null =>
  effects.find(({ turns }) => isWithin(turn, turns))?.text ?? null

const isWithin = (turn: number, range: TurnRange): boolean => range === null || (turn >= range[0] && turn <= range[1])

interface Drawn {
  readonly turn: number
  readonly draw: number
  met(condition: EventCondition): boolean
}

function happens({ when }: ExogenousEvent, { turn, draw, met }: Drawn): boolean {
  switch (when.kind) {
    case 'scheduled':
      return when.at.includes(turn)
    case 'random':
      return isWithin(turn, when.turns) && draw < when.probability
    case 'trend': {
      const first = when.turns?.[0] ?? 1
      return isWithin(turn, when.turns) && (turn - Math.max(1, first)) % when.frequency === 0 && draw < when.probability
    }
    case 'conditional':
      return isWithin(turn, when.turns) && when.conditions.every(met)
  }
}

interface KnownNow {
  readonly turn: number
  readonly known: ReadonlyMap<string, MetricValue>
  readonly names: ReadonlySet<string>
  readonly world: string
}

/** A condition on an unknown metric is not met. */
function isMet(condition: EventCondition, { turn, known, names, world }: KnownNow): boolean {
  if (condition.kind === 'world') {
    const searches = condition.patterns.map(pattern => ({ texts: [world], patterns: [pattern] }))
    return lastMatches(searches).every(Array.isArray)
  }
  return holds(condition.expression, { known, names, turn: turn - 1 }) === true
}
