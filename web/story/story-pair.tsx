import { useMemo } from 'preact/hooks'
import { isReadStory, type RunStory, type StoryView as View } from '../../src/report/dataset/story.ts'
import { storyPartingOf, storyPartingSentences } from '../../src/report/findings/story-parting.ts'
import { pairNames } from '../runs/difference-table.tsx'
import { type PairSide, TurnPair } from '../trajectory/turn-pair.tsx'
import { StoryFacts, UnreadStory } from './story-facts.tsx'
import { StoryTurnView } from './story-turn.tsx'
import { isOfTrunk, type MoreStory, storyFiles, useStory } from './story-view.tsx'
import { valuesBefore } from './values-before.ts'

interface Side {
  readonly found: RunStory | null
  readonly more: MoreStory | null
}

/** Two runs of a scenario turn by turn, from the first turn where they part. */
export function StoryPair({ a, b }: { readonly a: Side; readonly b: Side }) {
  if (a.found === null && b.found === null) return null
  const isBoth = a.found !== null && b.found !== null && isReadStory(a.found) && isReadStory(b.found)
  return (
    <section class="trajectory story" aria-label="Stories">
      <h3>Stories</h3>
      {isBoth && isReadStory(a.found) && isReadStory(b.found) ? (
        <Both a={a.found} b={b.found} moreOf={[a.more, b.more]} />
      ) : (
        <div class="two">
          {[a, b].map(({ found }, at) => (
            <div key={at}>
              {found === null ? (
                <p class="reason">{pairNames[at]} has no story here.</p>
              ) : isReadStory(found) ? (
                <StoryFacts view={found} />
              ) : (
                <UnreadStory found={found} />
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
  readonly moreOf: readonly [MoreStory | null, MoreStory | null]
}

type ShownTurn = View['turns'][number] & { readonly of: View }

function Both({ a, b, moreOf }: BothProps) {
  const [one, other] = [useSide(a, moreOf[0]), useSide(b, moreOf[1])]
  const before = useMemo(() => new Map([a, b].map(view => [view, valuesBefore(view)])), [a, b])
  return (
    <>
      <ul class="sentences parting">
        {storyPartingSentences(a, b).map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <div class="two">
        {[a, b].map((view, at) => (
          <div key={at}>
            <p class="side-name">{pairNames[at]}</p>
            <StoryFacts view={view} />
          </div>
        ))}
      </div>
      <TurnPair
        a={one}
        b={other}
        parted={storyPartingOf(a, b).turn}
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
    </>
  )
}

/** The turns of one side, each with the run that it is of. */
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
