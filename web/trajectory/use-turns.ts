import { useMemo, useState } from 'preact/hooks'
import { isRead, type RunTrajectory, type ShownTurn, type TrajectoryView } from '../../src/report/dataset/trajectory.ts'

/** Asks for the turns from one on; only a dashboard can. */
export type MoreTurns = (from: number) => Promise<RunTrajectory>

export interface Turns {
  /** Those that are here, in order. */
  readonly turns: readonly ShownTurn[]
  readonly closing: TrajectoryView['closing']
  readonly unused: TrajectoryView['unused']
  readonly isLoading: boolean
  readonly problem: string | null
  /** Has the turn here if it can be had. */
  fetch(turn: number): void
}

/** The turns of a trajectory that are known, and a way to know more. */
export function useTurns(view: TrajectoryView, more: MoreTurns | null): Turns {
  const [pages, setPages] = useState<readonly TrajectoryView[]>([])
  const [isLoading, setLoading] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const all = useMemo(() => [view, ...pages], [view, pages])
  const turns = useMemo(() => {
    const byNumber = new Map(all.flatMap(page => page.turns.map(turn => [turn.number, turn] as const)))
    return [...byNumber.values()].sort((a, b) => a.number - b.number)
  }, [all])
  const fetch = (turn: number): void => {
    const isHere = turns.some(({ number }) => number === turn)
    if (more === null || isLoading || isHere || turn < 1 || turn > view.turn_count) return
    setLoading(true)
    more(turn)
      .then(page => (isRead(page) ? setPages(before => [...before, page]) : setProblem(page.problem)))
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
      .finally(() => setLoading(false))
  }
  const last = all.find(page => page.turns.at(-1)?.number === view.turn_count) ?? view
  return { turns, closing: last.closing, unused: last.unused, isLoading, problem, fetch }
}
