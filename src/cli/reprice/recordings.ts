import { existsSync } from 'node:fs'
import type { ModelSettings } from '../../define/models/model-settings.ts'
import { type FoundTrajectory, readTrajectories, type UnreadFile } from '../../models/trajectory/trajectory-files.ts'
import { definitionOf, readExperiment } from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'

/**
 * The result of a first pass over the recordings: they are read a second time for pricing, since they may not fit into
 * memory.
 */
export interface Survey {
  readonly trajectories: number
  /** Which models made them, with the number of recordings. */
  readonly models: Counts
  /** Under which strategies, as far as the recordings say. */
  readonly strategies: Counts
  readonly unread: readonly UnreadFile[]
  /** Mean tokens of the recorded summaries; null: there are none. */
  readonly summaryTokens: number | null
  /** The total cost of the recorded calls, if every file states it. */
  readonly cost_usd: number | null
}

export type Counts = ReadonlyMap<string, number>

export function surveyOf(folder: string): Survey {
  const models = new Map<string, number>()
  const strategies = new Map<string, number>()
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
    if (agent.model !== null) count(models, agent.model)
    if (typeof agent.strategy?.strategy === 'string') count(strategies, agent.strategy.strategy)
    for (const { call } of summaries) if (call?.usage != null) lengths.push(call.usage.output_tokens)
    const own = totals.agent.cost_usd
    cost = cost === null || own === null ? null : cost + own + (totals.summary.cost_usd ?? 0)
  }
  const mean = lengths.length === 0 ? null : lengths.reduce((sum, one) => sum + one, 0) / lengths.length
  return {
    trajectories,
    models,
    strategies,
    unread,
    summaryTokens: mean === null ? null : Math.round(mean),
    cost_usd: cost,
  }
}

export const isTrajectory = (found: FoundTrajectory | UnreadFile): found is FoundTrajectory => 'trajectory' in found

const count = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)

/** An experiment's settings of its models: simulated models are defined nowhere else. */
export function modelSettingsOf(folder: string): ModelSettings {
  if (!existsSync(journalFile(folder))) return {}
  const journal = Journal.openExisting(journalFile(folder))
  try {
    const row = readExperiment(journal)
    return (row === undefined ? undefined : definitionOf(journal, row).models) ?? {}
  } finally {
    journal.close()
  }
}
