import { exactDollars, nameText } from '../../../util/words.ts'
import { onOneLine } from '../prompts/quoted.ts'
import type { Scenario } from '../scenario.ts'
import type { PlayedTurns, TurnRecord } from '../state/state.ts'

/** The first lines of `scenario.log`. No line has a time: a run that was resumed has the same log. */
export const firstLines = (scenario: Scenario, { branched_from, seed }: PlayedTurns): readonly string[] => [
  `scenario "${scenario.name}": ${scenario.turns} turns of ${scenario.turn_duration}, seed ${seed}`,
  ...scenario.actors.map(({ name, short_name, model }) => `actor ${short_name} (${name}) is played by ${model}`),
  `the narrator is ${scenario.world_state_model}`,
  ...(branched_from === null ? [] : [branchLine(branched_from)]),
]

const branchLine = ({ run, turn, changed = [] }: NonNullable<PlayedTurns['branched_from']>): string =>
  `branched from ${run} after turn ${turn}${changed.length === 0 ? '' : `, with another ${changed.join(', ')}`}`

/** The lines that a turn adds. */
export function linesOfTurn({
  turn,
  events,
  talks,
  coalitions,
  decisions,
  metrics,
  checks,
  remarks,
  calls,
}: TurnRecord): readonly string[] {
  const costs = calls.map(({ cost_usd }) => cost_usd)
  const total = costs.some(cost => cost === null)
    ? 'of unknown cost'
    : exactDollars(costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0))
  const lines = [
    ...events.map(({ name, text }) => `event: ${name}: ${text}`),
    ...talks.map(({ from, to }) => `${from} talked to ${to} in private`),
    ...coalitions.map(
      ({ members, is_formed }) =>
        `a coalition of ${members.join(', ')} was ${is_formed ? 'formed' : 'proposed, and not formed'}`,
    ),
    ...decisions.map(({ actor, action }) => `${actor} decided: ${action}`),
    ...metrics.map(({ name, value, problem }) =>
      value === null ? `metric ${name} could not be read: ${problem}` : `metric ${name} = ${value}`,
    ),
    ...checks.map(({ check, actor, passed, severity, reaction }) => {
      const about = actor === null ? check : `${check} of ${actor}`
      return passed === true
        ? `check ${about}: passed`
        : `check ${about}: ${passed === null ? 'could not be read' : `failed, ${severity}`} (${reaction})`
    }),
    ...remarks,
    `${calls.length} calls, ${total}`,
  ]
  return lines.map(line => `turn ${turn}: ${nameText(onOneLine(line))}`)
}
