import type { Trajectory } from '../../models/trajectory/trajectory.ts'
import type { Box } from '../../process/sandbox/box.ts'
import { mixSeed } from '../../util/random.ts'
import { type AgentJob, type AgentRun, type AgentWork, workInBox } from './built-in.ts'
import { countedUsd } from './loop/ask.ts'
import { chooseAttempt, scoreAttempt } from './review/review.ts'
import type { Reviewer } from './review/reviewer-schema.ts'
import { bestOf, isWorthAnother } from './review/scores.ts'

/** Opens a fresh box for an attempt, counted from 0, and closes it when `use` is done. */
export type WithBox = <T>(attempt: number, use: (box: Box) => Promise<T>) => Promise<T>

export interface Attempts {
  /** The attempt that counts. */
  readonly chosen: number
  readonly work: AgentWork
}

export interface AttemptParts {
  readonly job: AgentJob
  readonly run: AgentRun
  readonly reviewer: Reviewer
  readonly seed: number
  onCut(trajectory: Trajectory): void
}

/** Attempts in fresh boxes, until one is good enough or a limit is reached; a reviewer decides which of them counts. */
export async function workInAttempts(withBox: WithBox, parts: AttemptParts): Promise<Attempts> {
  const { job, run, reviewer, seed, onCut } = parts
  const { client } = run.scope
  const model = reviewer.model === 'same' ? run.model : reviewer.model
  const review = { client, model, reviewer, seed, signal: job.signal }
  const before = client.totals()
  const works: AgentWork[] = []
  const scores: number[] = []
  const left = (): number | null => moneyLeft(reviewer, countedUsd(client.totals()) - countedUsd(before))
  do {
    const mostUsd = left()
    const own = { ...job, mostUsd, seed: seedOf(works.length, seed) }
    const work = await withBox(works.length, box => workInBox(box, own, run, onCut))
    works.push(work)
    const attempt = { ...work, number: works.length }
    scores.push(reviewer.kind === 'score' ? await scoreAttempt(job.instruction, attempt, review) : 0)
  } while (!job.deadline.aborted && isWorthAnother({ scores, left: left() }, reviewer))
  const chosen =
    reviewer.kind === 'score'
      ? bestOf(
          works.map(({ trajectory }, at) => ({ score: scores[at] ?? 0, calls: trajectory.totals.agent.calls ?? 0 })),
        )
      : await chooseAttempt(job.instruction, works, review)
  return { chosen, work: withOthers(works, chosen, reviewer.kind === 'score' ? scores : null) }
}

/**
 * Otherwise a model that draws from its seed would repeat itself. The first attempt is like that of an agent without a
 * reviewer.
 */
const seedOf = (attempt: number, seed: number): number | null =>
  attempt === 0 ? null : mixSeed('attempt', seed, attempt)

/** null: there is no limit. */
const moneyLeft = ({ cost_limit }: Reviewer, usedUsd: number): number | null =>
  cost_limit === 0 ? null : cost_limit - usedUsd

/** The work that counts, with its score, and the other attempts. */
function withOthers(works: readonly AgentWork[], chosen: number, scores: readonly number[] | null): AgentWork {
  const scored = works.map(
    ({ trajectory }, at): Trajectory => ({ ...trajectory, review_score: scores?.[at] ?? trajectory.review_score }),
  )
  const [first, trajectory] = [works[chosen], scored[chosen]]
  if (first === undefined || trajectory === undefined) throw new RangeError(`there is no attempt ${chosen}`)
  const subagents = scored.filter((_, at) => at !== chosen)
  return { ...first, trajectory: { ...trajectory, ...(subagents.length > 0 && { subagents }) } }
}
