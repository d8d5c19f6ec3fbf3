import type { ModelClient } from '../../../models/model-call.ts'
import { askJudge, type Judge, judgesOf } from '../../prompt/asserts/judge.ts'
import type { JudgeSpec } from '../../prompt/asserts/judge-schema.ts'
import type { Rubric } from '../task.ts'
import { weightedTotal } from './rubric-score.ts'
import type { TestResult } from './score.ts'

/** What the judges see. */
export interface Work {
  readonly title: string
  readonly instruction: string
  readonly diff: string
  readonly tests: readonly TestResult[]
  /** The files that the agent touched, as they are now. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
}

/** The judges' result for one rubric. */
export interface JudgedRubric {
  readonly rubric_id: string
  readonly weight: number
  /** The mean of the judgements. */
  readonly score: number
  readonly reasoning: string
  readonly judgements: readonly { readonly judge: string; readonly score: number; readonly reasoning: string }[]
  /** The largest difference between two judgements; 0 if there is one. */
  readonly spread: number
}

export interface Judgement {
  readonly rubrics: readonly JudgedRubric[]
  readonly weighted_score: number
  /** The share of rubrics on which all judgements are on the same side of one half; null: there was one judge. */
  readonly agreement: number | null
}

/** Every rubric by every judge. A judge that fails is an error of the scoring, never a low score. */
export async function judgeRubrics(
  rubrics: readonly Rubric[],
  work: Work,
  options: {
    readonly judge: JudgeSpec
    readonly seed: number
    readonly client: Pick<ModelClient, 'call'>
    readonly signal: AbortSignal
  },
): Promise<Judgement> {
  const judges = judgesOf({}, options.judge)
  const judged = await Promise.all(rubrics.map(rubric => judgeOne(rubric, judges, work, options)))
  const isAgreed = ({ judgements }: JudgedRubric) =>
    judgements.every(({ score }) => score >= 0.5) || judgements.every(({ score }) => score < 0.5)
  return {
    rubrics: judged,
    weighted_score: weightedTotal(judged) ?? 0,
    agreement: judges.length < 2 ? null : judged.filter(isAgreed).length / judged.length,
  }
}

async function judgeOne(
  rubric: Rubric,
  judges: readonly Judge[],
  work: Work,
  { seed, client, signal }: { seed: number; client: Pick<ModelClient, 'call'>; signal: AbortSignal },
): Promise<JudgedRubric> {
  const asked = { rubric: rubricText(rubric), question: questionText(work), answer: answerText(work), vars: {}, seed }
  const judgements = await Promise.all(
    judges.map(async judge => {
      const { score, reason } = await askJudge(judge, asked, client, signal)
      return { judge: judge.name, score, reasoning: reason }
    }),
  )
  const scores = judgements.map(({ score }) => score)
  return {
    rubric_id: rubric.id,
    weight: rubric.weight,
    score: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    reasoning: judgements
      .map(({ judge, reasoning }) => (judges.length === 1 ? reasoning : `${judge}: ${reasoning}`))
      .join('\n'),
    judgements,
    spread: Math.max(...scores) - Math.min(...scores),
  }
}

const rubricText = ({ criterion, evaluationCriteria }: Rubric): string =>
  [
    criterion,
    ...evaluationCriteria.map(one => `- ${one}`),
    'Scale: 1.0 fully met; 0.7 to 0.9 mostly; 0.4 to 0.6 partly; 0.1 to 0.3 barely; 0 not at all.',
  ].join('\n')

const questionText = ({ title, instruction }: Work): string => `${title}\n\n${instruction}`

function answerText({ diff, tests, files }: Work): string {
  const results = tests.map(({ name, passed }) => `${passed ? 'PASSED' : 'FAILED'} ${name}`)
  return [
    `The changes, as a patch:\n${diff === '' ? 'none' : cut(diff, mostDiff)}`,
    `The tests:\n${results.length === 0 ? 'there are none' : results.join('\n')}`,
    ...shown(files).map(({ path, text }) => `The file ${path} afterwards:\n${text}`),
  ].join('\n\n')
}

const mostDiff = 60_000
const mostFile = 8_000
const mostFiles = 60_000

/** As many as fit, in the order of the patch. */
function shown(files: Work['files']): Work['files'] {
  let room = mostFiles
  return files.flatMap(({ path, text }) => {
    const part = cut(text, mostFile)
    room -= part.length
    return room < 0 ? [] : [{ path, text: part }]
  })
}

/** The beginning and the end: the latest additions often matter most. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`
}
