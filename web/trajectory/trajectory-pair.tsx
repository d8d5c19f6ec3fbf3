import { useEffect, useState } from 'preact/hooks'
import { isRead, type RunTrajectory, type TrajectoryView as View } from '../../src/report/dataset/trajectory.ts'
import { partingOf, partingSentences } from '../../src/report/findings/parting.ts'
import { pairNames } from '../runs/difference-table.tsx'
import { turnsText } from './prompt-words.ts'
import { Gap, TrajectoryFacts, Unread } from './trajectory-view.tsx'
import { TurnPager, turnsAtOnce } from './turn-pager.tsx'
import { TurnView } from './turn-view.tsx'
import { type MoreTurns, type Turns, useTurns } from './use-turns.ts'

interface Side {
  readonly found: RunTrajectory | null
  readonly more: MoreTurns | null
}

/** Two trajectories turn by turn, from the first turn where they part. */
export function TrajectoryPair({ a, b }: { readonly a: Side; readonly b: Side }) {
  if (a.found === null && b.found === null) return null
  const isBoth = a.found !== null && b.found !== null && isRead(a.found) && isRead(b.found)
  return (
    <section class="trajectory" aria-label="Trajectories">
      <h3>Trajectories</h3>
      {isBoth && isRead(a.found) && isRead(b.found) ? (
        <Both a={a.found} b={b.found} moreOf={[a.more, b.more]} />
      ) : (
        <div class="two">
          {[a, b].map(({ found }, at) => (
            <div key={at}>
              {found === null ? (
                <p class="reason">{pairNames[at]} has no trajectory here.</p>
              ) : isRead(found) ? (
                <TrajectoryFacts view={found} />
              ) : (
                <Unread found={found} />
              )}
            </div>
          ))}
        </div>
      )}
    </section>
  )
}

interface BothProps {
  readonly a: View
  readonly b: View
  readonly moreOf: readonly [MoreTurns | null, MoreTurns | null]
}

function Both({ a, b, moreOf }: BothProps) {
  const parting = partingOf(a, b)
  const count = Math.max(a.turn_count, b.turn_count)
  // One turn before they part shows where they stood.
  const [from, setFrom] = useState(Math.max(1, (parting.acts ?? 1) - 1))
  const to = Math.min(count, from + turnsAtOnce - 1)
  const sides: readonly (Turns & { readonly count: number })[] = [
    { ...useTurns(a, moreOf[0]), count: a.turn_count },
    { ...useTurns(b, moreOf[1]), count: b.turn_count },
  ]
  const rows = Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
  const found = sides.map(side => new Map(side.turns.map(turn => [turn.number, turn])))
  const missing = sides.map(({ count: own }, at) => rows.find(turn => turn <= own && !found[at]?.has(turn)) ?? null)
  useEffect(() => {
    for (const [at, turn] of missing.entries()) if (turn !== null && sides[at]?.problem === null) sides[at]?.fetch(turn)
  }, [...missing, ...sides.map(({ isLoading }) => isLoading)])
  return (
    <>
      <ul class="sentences parting">
        {partingSentences(a, b).map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <div class="two">
        {[a, b].map((view, at) => (
          <div key={at}>
            <p class="side-name">{pairNames[at]}</p>
            <TrajectoryFacts view={view} />
          </div>
        ))}
      </div>
      {from > 1 && (
        <p class="note">
          {from - 1 < (parting.acts ?? 0) ? 'Both agents did the same before. ' : ''}
          {capital(turnsText(1, from - 1))} {from === 2 ? 'is' : 'are'} not shown here.{' '}
          <button type="button" class="quiet" onClick={() => setFrom(1)}>
            From the first turn
          </button>
        </p>
      )}
      <TurnPager from={from} to={to} count={count} onGo={setFrom} />
      {rows.map(turn => (
        <div key={turn} class={`pair-turn${turn === parting.acts ? ' parted' : ''}`} data-pair-turn={turn}>
          {turn === parting.acts && <p class="parted-mark">They part at turn {turn}.</p>}
          <div class="two">
            {sides.map((side, at) => {
              const shown = found[at]?.get(turn)
              return (
                <div key={at} data-side={pairNames[at]}>
                  {shown !== undefined ? (
                    <TurnView turn={shown} />
                  ) : turn > side.count ? (
                    turn === side.count + 1 && (
                      <p class="note">
                        {pairNames[at]} ended after turn {side.count}.
                      </p>
                    )
                  ) : (
                    <Gap from={turn} to={turn} isLoading={side.isLoading} problem={side.problem} />
                  )}
                </div>
              )
            })}
          </div>
        </div>
      ))}
      <TurnPager from={from} to={to} count={count} onGo={setFrom} />
    </>
  )
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
