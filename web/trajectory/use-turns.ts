import type { RunTrajectory, ShownTurn, TrajectoryView } from '../../src/report/dataset/turns.ts'
import { type Pages, usePages } from './use-pages.ts'

/** Requests the turns from one on; only a dashboard can. */
export type MoreTurns = (from: number) => Promise<RunTrajectory>

export interface Turns
  extends Omit<Pages<TrajectoryView, ShownTurn>, 'pages'>,
    Pick<TrajectoryView, 'closing' | 'unused'> {}

/** The loaded turns of a trajectory, and a way to load more. */
export function useTurns(view: TrajectoryView, more: MoreTurns | null): Turns {
  const { pages, ...known } = usePages<ShownTurn, TrajectoryView, Exclude<RunTrajectory, TrajectoryView>>(view, more)
  const { closing, unused } = pages.find(page => page.turns.at(-1)?.number === view.turn_count) ?? view
  return { ...known, closing, unused }
}
