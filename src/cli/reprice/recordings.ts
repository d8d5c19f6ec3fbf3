import { type FoundTrajectory, readTrajectories, type UnreadFile } from '../../models/trajectory/read-trajectories.ts'

/** What a first look at the recordings finds: they are read a second time to be priced, since they may not fit into memory. */
export interface FirstLook {
  readonly trajectories: number
  readonly models: readonly string[]
  readonly strategies: readonly string[]
  readonly unread: readonly UnreadFile[]
  /** Mean tokens of the summaries that were recorded; null: there are none. */
  readonly summaryTokens: number | null
  /** What the recorded calls cost in all, where every file says it. */
  readonly cost_usd: number | null
}

export function lookAt(folder: string): FirstLook {
  const models = new Set<string>()
  const strategies = new Set<string>()
  const unread: UnreadFile[] = []
  const lengths: number[] = []
  let trajectories = 0
  let cost: number | null = 0
  for (const found of readTrajectories(folder)) {
    if (!isTrajectory(found)) {
      unread.push(found)
      continue
    }
    const { agent, summaries, totals } = found.trajectory
    trajectories++
    if (agent.model !== null) models.add(agent.model)
    if (typeof agent.strategy?.strategy === 'string') strategies.add(agent.strategy.strategy)
    for (const { call } of summaries) if (call?.usage != null) lengths.push(call.usage.output_tokens)
    const own = totals.agent.cost_usd
    cost = cost === null || own === null ? null : cost + own + (totals.summary.cost_usd ?? 0)
  }
  const mean = lengths.length === 0 ? null : lengths.reduce((sum, one) => sum + one, 0) / lengths.length
  return {
    trajectories,
    models: [...models],
    strategies: [...strategies],
    unread,
    summaryTokens: mean === null ? null : Math.round(mean),
    cost_usd: cost,
  }
}

export const isTrajectory = (found: FoundTrajectory | UnreadFile): found is FoundTrajectory => 'trajectory' in found
