import type { TrajectoryView as View } from '../../src/report/dataset/turns.ts'
import { divergenceOf, divergenceSentences } from './divergence.ts'
import { PairSection, type Side } from './pair-section.tsx'
import { TrajectoryFacts } from './trajectory-view.tsx'
import { TurnPair } from './turn-pair.tsx'
import { TurnView } from './turn-view.tsx'
import { type MoreTurns, useTurns } from './use-turns.ts'

type AgentSide = Side<View, MoreTurns>

/** Two trajectories turn by turn, from the first turn in which they differ. */
export const TrajectoryPair = ({ a, b }: { readonly a: AgentSide; readonly b: AgentSide }) => (
  <PairSection
    a={a}
    b={b}
    title="Trajectories"
    what="trajectory"
    facts={view => <TrajectoryFacts view={view} />}
    sentences={divergenceSentences}
    turns={(one, other) => <Turns a={one.view} b={other.view} moreOf={[one.more, other.more]} />}
  />
)

interface TurnsProps {
  readonly a: View
  readonly b: View
  readonly moreOf: readonly [MoreTurns | null, MoreTurns | null]
}

function Turns({ a, b, moreOf }: TurnsProps) {
  const one = { ...useTurns(a, moreOf[0]), count: a.turn_count }
  const other = { ...useTurns(b, moreOf[1]), count: b.turn_count }
  return <TurnPair a={one} b={other} parted={divergenceOf(a, b).acts} show={turn => <TurnView turn={turn} />} />
}
