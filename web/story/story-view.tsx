import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { isRead, type RunStory, type StoryTurn, type StoryView as View } from '../../src/report/dataset/turns.ts'
import { CutTextView } from '../trajectory/cut-text-view.tsx'
import { Gap } from '../trajectory/trajectory-view.tsx'
import { TurnPager, turnsAtOnce } from '../trajectory/turn-pager.tsx'
import { turnRows } from '../trajectory/turn-rows.ts'
import { Unread } from '../trajectory/unread.tsx'
import { type Pages, usePages } from '../trajectory/use-pages.ts'
import { StoryFacts } from './story-facts.tsx'
import { StoryOverview } from './story-overview.tsx'
import { StoryTurnView } from './story-turn.tsx'
import { valuesBefore } from './values-before.ts'

/** Requests the turns from one on; only a dashboard can. */
export type MoreStory = (from: number) => Promise<RunStory>

interface StoryViewProps {
  readonly found: RunStory
  readonly more: MoreStory | null
}

/** A run of a scenario, turn by turn. */
export function StoryView({ found, more }: StoryViewProps) {
  return (
    <section class="trajectory story" aria-label="Story">
      <h3>Story</h3>
      {isRead(found) ? <Read view={found} more={more} /> : <Unread found={found} />}
    </section>
  )
}

/** The loaded turns of a story, a way to load more, and why some can't be shown. */
export function useStory(
  view: View,
  more: MoreStory | null,
): Pages<View, StoryTurn> & { readonly unread: ReadonlyMap<number, string> } {
  const known = usePages<StoryTurn, View, Exclude<RunStory, View>>(view, more)
  const unread = useMemo(
    () => new Map(known.pages.flatMap(page => page.unread.map(({ number, problem }) => [number, problem] as const))),
    [known.pages],
  )
  return { ...known, unread }
}

/** The files with everything that is not on the page. */
export const storyFiles = 'The folder turns/ of the run'

function Read({ view, more }: { readonly view: View; readonly more: MoreStory | null }) {
  const { turns, isLoading, problem, fetch, unread } = useStory(view, more)
  const [from, setFrom] = useState(1)
  const [wanted, setWanted] = useState<number | null>(null)
  const shown = useRef<HTMLDivElement>(null)
  const to = Math.min(view.turn_count, from + turnsAtOnce - 1)
  const rows = turnRows(turns, from, to)
  const before = useMemo(() => valuesBefore(view), [view])
  const missing = rows
    .flatMap(row => ('from' in row ? Array.from({ length: row.to - row.from + 1 }, (_, at) => row.from + at) : []))
    .find(turn => !unread.has(turn))
  useEffect(() => {
    if (missing !== undefined && problem === null) fetch(missing)
  }, [missing, isLoading])
  useEffect(() => {
    if (wanted === null) return
    shown.current?.querySelector(`[data-turn="${wanted}"]`)?.scrollIntoView({ block: 'start' })
    setWanted(null)
  }, [wanted])
  const goTo = (turn: number): void => {
    setFrom(Math.floor((turn - 1) / turnsAtOnce) * turnsAtOnce + 1)
    setWanted(turn)
  }
  return (
    <>
      <StoryFacts view={view} />
      <StoryOverview view={view} onGo={goTo} />
      <TurnPager from={from} to={to} count={view.turn_count} onGo={setFrom} />
      {from === 1 && (
        <div class="told world opening-world">
          <p class="role">The world at the beginning</p>
          <CutTextView cut={view.opening} where={view.file} />
        </div>
      )}
      <div ref={shown}>
        {rows.map(row =>
          'turn' in row ? (
            <StoryTurnView
              key={row.turn.number}
              turn={row.turn}
              actors={view.actors}
              before={before(row.turn.number)}
              isOfTrunk={isOfTrunk(view, row.turn.number)}
            />
          ) : (
            <Gap
              key={row.from}
              from={row.from}
              to={row.to}
              where={storyFiles}
              isLoading={isLoading}
              problem={unread.get(row.from) ?? problem}
            />
          ),
        )}
      </div>
      <TurnPager from={from} to={to} count={view.turn_count} onGo={setFrom} />
    </>
  )
}

export const isOfTrunk = ({ branched_from }: View, turn: number): boolean =>
  branched_from !== null && turn <= branched_from.turn
