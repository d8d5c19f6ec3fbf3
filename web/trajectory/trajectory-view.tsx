import { useEffect, useState } from 'preact/hooks'
import { isRead, type RunTrajectory, type TrajectoryView as View } from '../../src/report/dataset/turns.ts'
import { counted } from '../../src/util/words.ts'
import { type Fact, Facts } from '../parts/facts.tsx'
import { bytesText } from '../runs/output-view.tsx'
import { ContextMap } from './context-map.tsx'
import { turnsText } from './prompt-words.ts'
import { TextView } from './text-view.tsx'
import { TotalsTable } from './totals-table.tsx'
import { TurnPager, turnsAtOnce } from './turn-pager.tsx'
import { turnRows } from './turn-rows.ts'
import { SummaryView, TurnView } from './turn-view.tsx'
import { Unread } from './unread.tsx'
import { type MoreTurns, useTurns } from './use-turns.ts'

interface TrajectoryViewProps {
  readonly found: RunTrajectory
  readonly more: MoreTurns | null
}

/** An agent's work, turn by turn. */
export function TrajectoryView({ found, more }: TrajectoryViewProps) {
  return (
    <section class="trajectory" aria-label="Trajectory">
      <h3>Trajectory</h3>
      {isRead(found) ? <Read view={found} more={more} /> : <Unread found={found} />}
    </section>
  )
}

function Read({ view, more }: { readonly view: View; readonly more: MoreTurns | null }) {
  const { turns, closing, unused, isLoading, problem, fetch } = useTurns(view, more)
  const [from, setFrom] = useState(1)
  const to = Math.min(view.turn_count, from + turnsAtOnce - 1)
  const rows = turnRows(turns, from, to)
  const missing = rows.find(row => 'from' in row)
  useEffect(() => {
    if (missing !== undefined && 'from' in missing && problem === null) fetch(missing.from)
  }, [missing !== undefined && 'from' in missing ? missing.from : null, isLoading])
  return (
    <>
      <TrajectoryFacts view={view} />
      <TotalsTable totals={view.totals} />
      <ContextMap map={view.map} turn_count={view.turn_count} />
      {view.opening.length > 0 && from === 1 && (
        <details class="opening">
          <summary>Before the first turn: {counted(view.opening.length, 'message')}</summary>
          {view.opening.map((shown, at) => (
            <TextView key={at} shown={shown} />
          ))}
        </details>
      )}
      <TurnPager from={from} to={to} count={view.turn_count} onGo={setFrom} />
      {rows.map(row =>
        'turn' in row ? (
          <TurnView key={row.turn.number} turn={row.turn} />
        ) : (
          <Gap key={row.from} from={row.from} to={row.to} isLoading={isLoading} problem={problem} />
        ),
      )}
      {to === view.turn_count && (
        <>
          {unused.map((summary, at) => (
            <SummaryView key={at} summary={summary} />
          ))}
          {closing.map((shown, at) => (
            <TextView key={at} shown={shown} />
          ))}
        </>
      )}
      <TurnPager from={from} to={to} count={view.turn_count} onGo={setFrom} />
    </>
  )
}

/** How it ended, and with which model and settings. */
export function TrajectoryFacts({ view }: { readonly view: View }) {
  const {
    agent,
    model,
    strategy,
    exit_status,
    review_score,
    turn_count,
    summary_count,
    subagents,
    notes,
    file,
    bytes,
  } = view
  const facts: readonly Fact[] = [
    ['Ended', exit_status ?? 'the file does not say'],
    ['Agent', model === null ? agent : `${agent} with ${model}`],
    ...(strategy === null ? [] : [['Context', strategy] as const]),
    [
      'Length',
      [counted(turn_count, 'turn'), ...(summary_count === 0 ? [] : [counted(summary_count, 'summary')])].join(', '),
    ],
    ...(review_score === null ? [] : [['Review', String(review_score)] as const]),
    ...(subagents === 0
      ? []
      : [['Further', `${counted(subagents, 'trajectory')} of other attempts or agents, in the file`] as const]),
    ['File', `${file}, ${bytesText(bytes)}`],
    ...notes.map(note => ['Note', note] as const),
  ]
  return <Facts facts={facts} />
}

interface GapProps {
  readonly from: number
  readonly to: number
  /** The file that has them. */
  readonly where?: string
  readonly isLoading: boolean
  readonly problem: string | null
}

/** Turns that are not loaded. */
export function Gap({ from, to, where = 'The trajectory’s file', isLoading, problem }: GapProps) {
  const which = turnsText(from, to)
  if (isLoading) return <p class="waiting">Reading {which} …</p>
  return (
    <p class="note left-turns">
      {problem === null
        ? `${which.charAt(0).toUpperCase()}${which.slice(1)}: there is no room for them on this page. ${where} has them.`
        : `${which} can’t be shown: ${problem}.`}
    </p>
  )
}
