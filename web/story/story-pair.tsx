import { useMemo } from 'preact/hooks'
import type { StoryView as View } from '../../src/report/dataset/turns.ts'
import { PairSection, type Side } from '../trajectory/pair-section.tsx'
import { type PairSide, TurnPair } from '../trajectory/turn-pair.tsx'
import { storyDivergenceOf, storyDivergenceSentences } from './story-divergence.ts'
import { StoryFacts } from './story-facts.tsx'
import { StoryTurnView } from './story-turn.tsx'
import { isOfTrunk, type MoreStory, storyFiles, useStory } from './story-view.tsx'
import { valuesBefore } from './values-before.ts'

type StorySide = Side<View, MoreStory>

/** Two runs of a scenario turn by turn, from the first turn in which they differ. */
export const StoryPair = ({ a, b }: { readonly a: StorySide; readonly b: StorySide }) => (
  <PairSection
    a={a}
    b={b}
    title="Stories"
    what="story"
    class="story"
    facts={view => <StoryFacts view={view} />}
    sentences={storyDivergenceSentences}
    turns={(one, other) => <Turns a={one.view} b={other.view} moreOf={[one.more, other.more]} />}
  />
)

interface TurnsProps {
  readonly a: View
  readonly b: View
  readonly moreOf: readonly [MoreStory | null, MoreStory | null]
}

function Turns({ a, b, moreOf }: TurnsProps) {
  const [one, other] = [useSide(a, moreOf[0]), useSide(b, moreOf[1])]
  const before = useMemo(() => new Map([a, b].map(view => [view, valuesBefore(view)])), [a, b])
  return (
    <TurnPair
      a={one}
      b={other}
      parted={storyDivergenceOf(a, b).turn}
      where={storyFiles}
      show={({ of, ...turn }, beside) => (
        <StoryTurnView
          turn={turn}
          actors={of.actors}
          before={before.get(of)?.(turn.number) ?? new Map()}
          isOfTrunk={isOfTrunk(of, turn.number)}
          other={beside}
        />
      )}
    />
  )
}

type ShownTurn = View['turns'][number] & { readonly of: View }

/** The turns of one side, each with its run. */
function useSide(view: View, more: MoreStory | null): PairSide<ShownTurn> {
  const { turns, isLoading, problem, fetch, unread } = useStory(view, more)
  const shown = useMemo(() => turns.map(turn => ({ ...turn, of: view })), [turns, view])
  return {
    turns: shown,
    isLoading,
    problem,
    fetch,
    count: view.turn_count,
    problemOf: turn => unread.get(turn) ?? null,
  }
}
