import type { ComponentChildren } from 'preact'
import type {
  MetricValue,
  StoryActor,
  StoryCheck,
  StoryCoalition,
  StoryDecision,
  StoryTalk,
  StoryText,
  StoryTurn,
} from '../../src/report/dataset/turns.ts'
import { counted } from '../../src/util/words.ts'
import { CutTextView } from '../trajectory/cut-text-view.tsx'
import { wholeText } from '../trajectory/turn-view.tsx'
import { MetricsBeside } from './metrics-beside.tsx'
import { priceText } from './price-text.ts'
import { isSameText } from './story-divergence.ts'

interface StoryTurnViewProps {
  readonly turn: StoryTurn
  readonly actors: readonly StoryActor[]
  /** The last known value of each metric before this turn. */
  readonly before: ReadonlyMap<string, MetricValue>
  /** Whether the run has this turn from its trunk. */
  readonly isOfTrunk: boolean
  /** The same turn of the other run: differences from it are marked. */
  readonly other?: StoryTurn | undefined
}

/** One turn: events, talks, decisions, the new state of the world, and its cost. */
export function StoryTurnView({ turn, actors, before, isOfTrunk, other }: StoryTurnViewProps) {
  const where = fileOf(turn.number)
  const nameOf = (short: string): string => actors.find(({ short_name }) => short_name === short)?.name ?? short
  const parts = { where, nameOf }
  return (
    <article class="step story-turn" data-turn={turn.number} aria-label={`Turn ${turn.number}`}>
      <p class="turn-head">
        <strong>Turn {turn.number}</strong>
        {isOfTrunk && <span class="mark-warning">of the trunk</span>}
        <Took turn={turn} />
      </p>
      <div class="story-columns">
        <div class="story-told">
          {turn.summary !== null && (
            <Part
              title={`Summary of ${turn.summary.through === 1 ? 'turn 1' : `turns 1 to ${turn.summary.through}`} for the prompts of this turn`}
            >
              <CutTextView cut={turn.summary.text} where={where} />
            </Part>
          )}
          {turn.events.length > 0 && (
            <Part title="Events">
              {turn.events.map((event, at) => (
                <div key={at} class={`told event${differs(event, other?.events)}`}>
                  <p class="role">{event.name}</p>
                  <CutTextView cut={event.text} where={where} />
                </div>
              ))}
            </Part>
          )}
          {turn.talks.length > 0 && (
            <Part title="In private">
              {turn.talks.map((talk, at) => (
                <Talk key={at} talk={talk} mark={differs(talk, other?.talks)} {...parts} />
              ))}
            </Part>
          )}
          {turn.coalitions.length > 0 && (
            <Part title="Coalitions">
              {turn.coalitions.map((one, at) => (
                <Coalition key={at} coalition={one} mark={differs(one, other?.coalitions)} {...parts} />
              ))}
            </Part>
          )}
          <Part title="Decisions">
            {turn.decisions.map((decision, at) => (
              <Decision key={at} decision={decision} mark={differs(decision, other?.decisions)} {...parts} />
            ))}
          </Part>
          <World turn={turn} other={other} where={where} />
          <Checks turn={turn} {...parts} />
          {turn.left > 0 && (
            <p class="note">
              {wholeText(turn.left)} more entries of this turn are not on this page: {where} has them.
            </p>
          )}
        </div>
        <MetricsBeside metrics={turn.metrics} before={before} />
      </div>
    </article>
  )
}

interface Parts {
  readonly where: string
  readonly nameOf: (short: string) => string
  readonly mark?: string
}

const fileOf = (turn: number): string => `turns/${String(turn).padStart(3, '0')}.json`

/** Whether the other run has no equal item. */
const differs = <T,>(one: T, others: readonly T[] | undefined): string =>
  others === undefined || others.some(other => JSON.stringify(other) === JSON.stringify(one)) ? '' : ' differs'

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="story-part" aria-label={title}>
      <h4>{title}</h4>
      {children}
    </section>
  )
}

function Talk({ talk: { from, to, message, answer }, where, nameOf, mark = '' }: Parts & { readonly talk: StoryTalk }) {
  return (
    <div class={`told talk${mark}`}>
      <p class="role">
        {nameOf(from)} to {nameOf(to)}
      </p>
      <CutTextView cut={message} where={where} />
      <p class="role">{nameOf(to)} answers</p>
      <CutTextView cut={answer} where={where} />
    </div>
  )
}

function Coalition({ coalition, where, nameOf, mark = '' }: Parts & { readonly coalition: StoryCoalition }) {
  const { proposer, members, purpose, answers, is_formed, messages } = coalition
  return (
    <div class={`told talk${mark}`}>
      <p class="role">
        {nameOf(proposer)} proposes a coalition of {members.map(nameOf).join(', ')}
        <span class={is_formed ? 'formed' : 'not-formed'}>{is_formed ? 'formed' : 'not formed'}</span>
      </p>
      <CutTextView cut={purpose} where={where} />
      {answers.map(({ actor, accepts, reason }) => (
        <div key={actor} class="answer">
          <p class="role">
            {nameOf(actor)} {accepts ? 'accepts' : 'declines'}
          </p>
          {!isEmpty(reason) && <CutTextView cut={reason} where={where} />}
        </div>
      ))}
      {messages.map(({ actor, text }, at) => (
        <div key={at} class="answer">
          <p class="role">{nameOf(actor)} to the members</p>
          <CutTextView cut={text} where={where} />
        </div>
      ))}
    </div>
  )
}

function Decision({ decision, where, nameOf, mark = '' }: Parts & { readonly decision: StoryDecision }) {
  const { actor, long_term_goals, short_term_goals, reasoning, action } = decision
  const thoughts = (
    [
      ['Reasoning', reasoning],
      ['Goals in this turn', short_term_goals],
      ['Goals in the end', long_term_goals],
    ] as const
  ).filter(([, text]) => !isEmpty(text))
  return (
    <div class={`told decision${mark}`}>
      <p class="role">{nameOf(actor)}</p>
      <CutTextView cut={action} where={where} />
      {thoughts.length > 0 && (
        <details class="thoughts">
          <summary>Goals and reasoning</summary>
          {thoughts.map(([title, text]) => (
            <div key={title}>
              <p class="role">{title}</p>
              <CutTextView cut={text} where={where} />
            </div>
          ))}
        </details>
      )}
    </div>
  )
}

function World({
  turn: { world },
  other,
  where,
}: {
  readonly turn: StoryTurn
  readonly other: StoryTurn | undefined
  readonly where: string
}) {
  const { state, key_changes, consequences } = world
  const isOther =
    other !== undefined &&
    !(
      isSameText(state, other.world.state) &&
      isSameText(key_changes, other.world.key_changes) &&
      isSameText(consequences, other.world.consequences)
    )
  const further = (
    [
      ['Key changes', key_changes],
      ['Consequences', consequences],
    ] as const
  ).filter(([, text]) => !isEmpty(text))
  return (
    <Part title="The world after it">
      <div class={`told world${isOther ? ' differs' : ''}`}>
        <CutTextView cut={state} where={where} />
        {further.map(([title, text]) => (
          <div key={title}>
            <p class="role">{title}</p>
            <CutTextView cut={text} where={where} />
          </div>
        ))}
      </div>
    </Part>
  )
}

/** Passed checks are only counted. */
function Checks({ turn: { checks, remarks }, where, nameOf }: Parts & { readonly turn: StoryTurn }) {
  const failed = checks.filter(({ passed }) => passed !== true)
  if (checks.length + remarks.length === 0) return null
  return (
    <Part title="Checks and remarks">
      {checks.length > 0 && (
        <p class="note">
          {checks.length - failed.length} of {counted(checks.length, 'check')} passed.
        </p>
      )}
      {failed.map((one, at) => (
        <div key={at} class="told check">
          <p class="role">{checkText(one, nameOf)}</p>
          {!isEmpty(one.text) && <CutTextView cut={one.text} where={where} />}
        </div>
      ))}
      {remarks.map((remark, at) => (
        <p key={at} class="note">
          {remark}
        </p>
      ))}
    </Part>
  )
}

function checkText({ check, actor, passed, severity, reaction }: StoryCheck, nameOf: Parts['nameOf']): string {
  const about = actor === null ? '' : ` of ${nameOf(actor)}`
  const how = passed === null ? 'could not be read' : `failed${severity === null ? '' : ` (${severity})`}`
  return `${check}${about} ${how}${reaction === 'halt' ? ' and ended the run' : ''}`
}

const isEmpty = ({ text, left }: StoryText): boolean => text.trim() === '' && left === 0

/** The usage of the turn; by purpose on demand. */
function Took({ turn: { calls } }: { readonly turn: StoryTurn }) {
  const sum = (of: (one: StoryTurn['calls'][number]) => number): number => calls.reduce((all, one) => all + of(one), 0)
  const price = calls.reduce<number | null>(
    (all, { price_usd }) => (all === null || price_usd === null ? null : all + price_usd),
    0,
  )
  const title = calls
    .map(one => `${one.purpose}: ${counted(one.calls, 'call')}, ${priceText(one.price_usd)}`)
    .join('\n')
  return (
    <>
      <span title={title}>
        {counted(
          sum(one => one.calls),
          'call',
        )}
      </span>
      <span>{wholeText(sum(one => one.input_tokens))} tokens in</span>
      <span>{wholeText(sum(one => one.output_tokens))} out</span>
      <span title={title}>{priceText(price)}</span>
    </>
  )
}
