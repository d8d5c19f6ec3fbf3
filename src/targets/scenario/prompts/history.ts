import type { Scenario } from '../scenario.ts'
import type { PlayedTurns, TurnRecord } from '../state/state.ts'
import { bullets, paragraphs, quoted, section } from './quoted.ts'

/** The state of the game at the beginning of a turn. */
export interface Before extends PlayedTurns {
  /** The turn that is played. */
  readonly turn: number
  readonly events: TurnRecord['events']
  /** Of the turns that prompts no longer contain in full. */
  readonly summary: TurnRecord['summary']
}

/** The state of the world when the turn begins. */
export const worldBefore = ({ turns, initial_world_state }: PlayedTurns): string =>
  turns.at(-1)?.world.state ?? initial_world_state

/** The last turns, which prompts contain in full. */
export const recentTurns = (
  { turns }: PlayedTurns,
  { context_window }: Pick<Scenario, 'context_window'>,
): readonly TurnRecord[] => (context_window === null ? turns : turns.slice(-context_window))

/**
 * What all actors know: the summary, the last turns with their actions, the state of the world, the events of this
 * turn.
 */
export function publicHistory(before: Before, scenario: Scenario): string {
  const recent = recentTurns(before, scenario)
  const [first] = recent
  const startsAtFirst = first === undefined || first.turn === 1
  return paragraphs(
    section(
      'The scenario',
      `${scenario.name}. This is turn ${before.turn} of ${scenario.turns}; a turn is ${scenario.turn_duration}.`,
    ),
    section('Actors', bullets(scenario.actors.map(({ name, short_name }) => `${name} (${short_name})`))),
    before.summary === null || startsAtFirst
      ? null
      : section(`Turns 1 to ${before.summary.through}, in short`, quoted(before.summary.text)),
    startsAtFirst && recent.length > 0
      ? section('The situation at the beginning', quoted(before.initial_world_state))
      : null,
    ...recent.map((one, at) => turnText(one, scenario, at === recent.length - 1)),
    section('The situation now', quoted(worldBefore(before))),
    section('What happens this turn', eventLines(before.events)),
  )
}

/** The state after the last turn is the present situation, and is described there. */
const turnText = (one: TurnRecord, scenario: Scenario, isLast: boolean): string =>
  paragraphs(
    `## Turn ${one.turn}`,
    eventLines(one.events),
    actionsText(one.decisions, scenario),
    isLast ? null : `The situation after turn ${one.turn}:\n${quoted(one.world.state)}`,
  )

export const eventLines = (events: TurnRecord['events']): string =>
  bullets(events.map(({ name, text }) => `${name}: ${text}`))

/** The actions of each actor, without its goals and its reasoning. */
export const actionsText = (decisions: TurnRecord['decisions'], scenario: Scenario): string =>
  decisions.map(({ actor, action }) => `${nameOf(actor, scenario)} did:\n${quoted(action)}`).join('\n\n')

export const nameOf = (short: string, { actors }: Pick<Scenario, 'actors'>): string =>
  actors.find(({ short_name }) => short_name === short)?.name ?? short

/** What only the actor knows about the last turns: its own talks, coalitions and goals. */
export function ownHistory(short: string, before: Before, scenario: Scenario): string {
  const recent = recentTurns(before, scenario)
  const goals = recent
    .slice(-2)
    .flatMap(({ turn, decisions }) =>
      decisions
        .filter(({ actor }) => actor === short)
        .map(
          ({ long_term_goals: long, short_term_goals: near }) =>
            [turn, [long, near].filter(Boolean).join('\n')] as const,
        ),
    )
  return paragraphs(
    ...recent.map(({ turn, talks, coalitions }) =>
      section(`Your private talks in turn ${turn}`, privateText(short, { talks, coalitions }, scenario)),
    ),
    ...goals.map(([turn, text]) => (text === '' ? null : section(`Your goals in turn ${turn}`, quoted(text)))),
  )
}

/** The talks and coalitions that an actor took part in. */
export function privateText(
  short: string,
  { talks, coalitions }: Pick<TurnRecord, 'talks' | 'coalitions'>,
  scenario: Scenario,
): string {
  const name = (one: string) => (one === short ? 'You' : nameOf(one, scenario))
  const own = talks.filter(({ from, to }) => from === short || to === short)
  const joined = coalitions.filter(({ is_formed, members }) => is_formed && members.includes(short))
  return paragraphs(
    ...own.map(
      ({ from, to, message, answer }) =>
        `${name(from)} to ${name(to)}:\n${quoted(message)}\n\n${name(to)} answered:\n${quoted(answer)}`,
    ),
    ...joined.map(({ members, purpose, messages }) =>
      paragraphs(
        `A coalition of ${members.map(member => nameOf(member, scenario)).join(', ')}, for:\n${quoted(purpose)}`,
        ...messages.map(({ actor, text }) => `${name(actor)}:\n${quoted(text)}`),
      ),
    ),
  )
}
