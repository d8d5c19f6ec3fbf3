import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelClient } from '../../../models/model-call.ts'
import { touchedFiles, touchedFolder } from '../artifacts.ts'
import { type Judgement, judgeRubrics, type Work } from '../evaluate/judge-rubrics.ts'
import { rubricScores, weightedTotal } from '../evaluate/rubric-score.ts'
import { type TestResult, Unscored } from '../evaluate/score.ts'
import type { Task } from '../task.ts'
import type { RunBoxes } from './box-of-run.ts'
import type { ScoredStep } from './score-step.ts'

/** The result of scoring, step by step and in total. */
export interface Total {
  readonly score: number
  readonly rewards: Readonly<Record<string, number>>
  readonly tests: readonly TestResult[]
  readonly judgement: Judgement | null
  readonly standard: Readonly<Record<string, number>>
  readonly custom: Readonly<Record<string, number>>
}

/**
 * `steps`: those that were reached, in order. A step that was not reached is a reward of 0: the agent did not get
 * there.
 */
export async function totalOf(
  steps: readonly ScoredStep[],
  boxes: RunBoxes,
  options: {
    readonly diff: string
    readonly seed: number
    readonly client: Pick<ModelClient, 'call'>
    readonly signal: AbortSignal
  },
): Promise<Total> {
  const { task } = boxes.about
  const tests = steps.flatMap((step, at) => namedTests(step.tests, task, at))
  const judgement = await judged(tests, boxes, options)
  const rewards = rewardsOf(steps, task)
  const score = scoreOf(task, rewards, tests, judgement)
  const merged = (key: 'standard' | 'custom') => Object.assign({}, ...steps.map(step => step[key]))
  return { score, rewards, tests, judgement, standard: merged('standard'), custom: merged('custom') }
}

const namedTests = (tests: readonly TestResult[], { steps }: Task, at: number): readonly TestResult[] =>
  steps.length === 1 ? tests : tests.map(test => ({ ...test, name: `${steps[at]?.name}: ${test.name}` }))

/** Each reward by its mean over all declared steps, or as the last step gave it. */
function rewardsOf(
  steps: readonly ScoredStep[],
  { steps: declared, rewardStrategy }: Task,
): Readonly<Record<string, number>> {
  const names = [...new Set(steps.flatMap(({ rewards }) => Object.keys(rewards)))]
  const last = steps.length === declared.length ? steps.at(-1) : undefined
  const of = (name: string): number =>
    rewardStrategy === 'final'
      ? (last?.rewards[name] ?? 0)
      : steps.reduce((sum, { rewards }) => sum + (rewards[name] ?? 0), 0) / declared.length
  return Object.fromEntries(names.map(name => [name, of(name)]))
}

function scoreOf(
  task: Task,
  rewards: Readonly<Record<string, number>>,
  tests: readonly TestResult[],
  judgement: Judgement | null,
): number {
  const [only] = Object.values(rewards)
  const reward = rewards.reward ?? (Object.keys(rewards).length === 1 ? only : undefined)
  if (reward !== undefined) return reward
  if (Object.keys(rewards).length > 0)
    throw new Unscored(
      'no_reward',
      `reward.json has ${Object.keys(rewards).join(', ')}, and none of them is called reward`,
    )
  const total = weightedTotal(Object.values(rubricScores(task.rubrics, tests, judgement?.rubrics))) ?? shareOf(tests)
  if (total === null) throw new Unscored('nothing_to_score', `${task.id} has no tests, and no judge is named`, {})
  return total
}

/** Tests without rubrics have equal weights. */
const shareOf = (tests: readonly TestResult[]): number | null =>
  tests.length === 0 ? null : tests.filter(({ passed }) => passed).length / tests.length

async function judged(
  tests: readonly TestResult[],
  { about: { task }, spec, dir }: RunBoxes,
  {
    diff,
    seed,
    client,
    signal,
  }: { diff: string; seed: number; client: Pick<ModelClient, 'call'>; signal: AbortSignal },
): Promise<Judgement | null> {
  if (spec.judge === undefined || task.rubrics.length === 0) return null
  const work: Work = {
    title: task.title,
    instruction: task.steps.map(({ instruction }) => instruction).join('\n\n'),
    diff,
    tests,
    files: touched(diff, join(dir, touchedFolder)),
  }
  return judgeRubrics(task.rubrics, work, { judge: spec.judge, seed, client, signal })
}

/** As copied out of the box; files that are not text, or gone, are left out. */
function touched(diff: string, folder: string): Work['files'] {
  return touchedFiles(diff).flatMap(path => {
    try {
      const text = readFileSync(join(folder, path), 'utf8')
      return text.includes('\0') ? [] : [{ path, text }]
    } catch {
      return []
    }
  })
}
