import { useMemo, useRef, useState } from 'preact/hooks'

/** Some turns of a run, and how many there are. */
interface TurnPage<Turn> {
  readonly turns: readonly Turn[]
  readonly turn_count: number
}

export interface Pages<Page, Turn> {
  /** The fetched pages, the first one first. */
  readonly pages: readonly Page[]
  /** The loaded turns, in order. */
  readonly turns: readonly Turn[]
  readonly isLoading: boolean
  readonly problem: string | null
  /** Loads the turn if possible. */
  fetch(turn: number): void
}

/** The loaded turns of a run, and a way to load others: `more` requests those from one on; only a dashboard can. */
export function usePages<
  Turn extends { readonly number: number },
  Page extends TurnPage<Turn>,
  Unread extends { readonly problem: string },
>(view: Page & TurnPage<Turn>, more: ((from: number) => Promise<Page | Unread>) | null): Pages<Page, Turn> {
  const [later, setLater] = useState<readonly Page[]>([])
  const [isLoading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // A turn that failed to load is not requested again and again.
  const asked = useRef(new Set<number>())
  const pages = useMemo(() => [view, ...later], [view, later])
  const turns = useMemo(() => {
    const byNumber = new Map(pages.flatMap(page => page.turns.map(turn => [turn.number, turn] as const)))
    return [...byNumber.values()].sort((a, b) => a.number - b.number)
  }, [pages])
  const fetch = (turn: number): void => {
    const isHere = turns.some(({ number }) => number === turn)
    if (more === null || isLoading || isHere || turn < 1 || turn > view.turn_count) return
    if (asked.current.has(turn)) return
    asked.current.add(turn)
    setLoading(true)
    more(turn)
      .then(page => ('problem' in page ? setProblem(page.problem) : setLater(before => [...before, page])))
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
      .finally(() => setLoading(false))
  }
  return { pages, turns, isLoading, problem, fetch }
}
