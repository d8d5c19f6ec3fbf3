import { levelOf } from '../../../define/observation.ts'
import { canonicalJson } from '../../../util/json.ts'
import { levelText } from '../../../util/words.ts'
import { type Batch, judgedRuns } from '../batch.ts'

/** Blocks in which no variant ever succeeded: the task itself may be broken, or too hard. */
export interface HardBlocks {
  readonly block: string
  readonly levels: readonly string[]
  readonly of: number
}

/** With fewer runs, failing all of them shows little about the block. */
const fewestRuns = 3

export function hardBlocks(batch: Batch): readonly HardBlocks[] {
  const judged = judgedRuns(batch, batch.evidence.runs)
  if (!judged.some(({ isSuccess }) => isSuccess)) return []
  return batch.evidence.blocks.flatMap(block => {
    const tallies = new Map<string, { readonly text: string; runs: number; successes: number }>()
    for (const { run, isSuccess } of judged) {
      const level = levelOf(run, block)
      if (level === null) continue
      const key = canonicalJson(level)
      const tally = tallies.get(key) ?? { text: levelText(level), runs: 0, successes: 0 }
      tallies.set(key, tally)
      tally.runs++
      if (isSuccess) tally.successes++
    }
    const hard = [...tallies.values()].filter(({ runs, successes }) => runs >= fewestRuns && successes === 0)
    return hard.length === 0 ? [] : [{ block, levels: hard.map(({ text }) => text), of: tallies.size }]
  })
}
