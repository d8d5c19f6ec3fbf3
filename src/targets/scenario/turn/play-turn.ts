import { type AskingParts, openAsking } from '../asking.ts'
import type { MetricValue } from '../metrics/expression.ts'
import { markerOf } from '../metrics/machine-line.ts'
import { knownAfter, readMetrics } from '../metrics/read-metrics.ts'
import type { Metric, Scenario } from '../scenario.ts'
import type { PlayedTurns, TurnRecord } from '../state/state.ts'
import { checkTurn } from './check-turn.ts'
import { decide } from './decide.ts'
import { eventsOfTurn } from './events.ts'
import { formCoalitions } from './form-coalitions.ts'
import { summarise } from './summarise.ts'
import { talk } from './talk.ts'
import { updateWorld } from './update-world.ts'

/** The next turn: events, talks, coalitions, decisions, the new world, metrics, checks. Nothing is written here. */
export async function playTurn(scenario: Scenario, played: PlayedTurns, parts: AskingParts): Promise<TurnRecord> {
  const turn = played.turns.length + 1
  const asking = openAsking(parts)
  const remarks: string[] = []
  const summary = await summarise(played, scenario, asking)
  const events = eventsOfTurn(turn, scenario, played, valuesAfter(played.turns, scenario.metrics))
  const before = { ...played, turn, events, summary }
  const turnParts = { scenario, before, asking, remark: (text: string) => void remarks.push(text) }
  const talks = await talk(turnParts)
  const coalitions = await formCoalitions(turnParts, talks)
  const decisions = await decide(turnParts, { talks, coalitions })
  const { world, declared } = await updateWorld(turnParts, decisions, markerOf(played.seed, scenario.name))
  const metrics = await readMetrics({ scenario, turn, decisions, world, declared, asking })
  const { checks: rules } = scenario
  const isChecked = rules !== null && (rules.after_each_turn || (rules.at_end && turn === scenario.turns))
  const happened = { talks: [...talks], coalitions: [...coalitions], decisions: [...decisions], world }
  const checks = isChecked ? await checkTurn(rules, happened, turnParts) : []
  const record = { turn, events, summary, ...happened, metrics: [...metrics], checks: [...checks] }
  return {
    ...record,
    remarks: [...remarks.toSorted(), ...thresholdRemarks(record, played, scenario)],
    calls: [...asking.calls],
  }
}

/** The known value of each metric after these turns. */
export const valuesAfter = (
  turns: readonly TurnRecord[],
  metrics: readonly Metric[],
): ReadonlyMap<string, MetricValue> =>
  new Map([...knownAfter(turns, metrics)].map(([name, { value }]) => [name, value]))

/** Thresholds that a metric passes in this turn. A critical one below the warning means that less is worse. */
function thresholdRemarks(
  record: Pick<TurnRecord, 'turn' | 'metrics'>,
  { turns }: PlayedTurns,
  { metrics }: Scenario,
): readonly string[] {
  const after = knownAfter([...turns, record], metrics)
  return metrics.flatMap(({ name, warning, critical }) => {
    const value = after.get(name)?.value
    if (typeof value !== 'number') return []
    const isWorseBelow = warning !== null && critical !== null && critical < warning
    const isPast = (limit: number | null): limit is number =>
      limit !== null && (isWorseBelow ? value <= limit : value >= limit)
    if (isPast(critical)) return [`${name} is ${value}, past its critical threshold of ${critical}`]
    return isPast(warning) ? [`${name} is ${value}, past its warning threshold of ${warning}`] : []
  })
}
