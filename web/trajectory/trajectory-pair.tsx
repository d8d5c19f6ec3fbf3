import { isRead, type RunTrajectory, type TrajectoryView as View } from '../../src/report/dataset/trajectory.ts'
import { partingOf, partingSentences } from '../../src/report/findings/parting.ts'
import { pairNames } from '../runs/difference-table.tsx'
import { TrajectoryFacts, Unread } from './trajectory-view.tsx'
import { TurnPair } from './turn-pair.tsx'
import { TurnView } from './turn-view.tsx'
import { type MoreTurns, useTurns } from './use-turns.ts'

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
  const sides = [
    { ...useTurns(a, moreOf[0]), count: a.turn_count },
    { ...useTurns(b, moreOf[1]), count: b.turn_count },
  ] as const
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
      <TurnPair a={sides[0]} b={sides[1]} parted={partingOf(a, b).acts} show={turn => <TurnView turn={turn} />} />
    </>
  )
}
