import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import { type Sides, zSum } from './normal-approximation.ts'
import { wholeRuns } from './solve.ts'

/** Variances of a paired comparison on shared questions (Miller 2024, arXiv 2411.00640, section 5). */
export interface QuestionVariances {
  /** Of the difference between the systems' true scores, over questions. */
  readonly between: number
  /** Of one answer of each system to a given question. */
  readonly withinA: number
  readonly withinB: number
}

export interface QuestionOptions {
  readonly answersA?: number
  readonly answersB?: number
  readonly alpha?: number
  readonly power?: number
  readonly sides?: Sides
}

/** Questions needed to find a difference of `delta`, with this many answers of each system per question. Fractional. */
export function questionsNeeded(
  variances: QuestionVariances,
  delta: number,
  options: QuestionOptions = {},
): Estimate<number> {
  if (delta === 0) return unavailable('zero_effect')
  const { alpha = 0.05, power = 0.8, sides = 2 } = options
  return (zSum(alpha, power, sides) ** 2 * perQuestion(variances, options)) / delta ** 2
}

/** The smallest difference that n questions find with the required power. */
export function questionsDetect(variances: QuestionVariances, n: number, options: QuestionOptions = {}): number {
  requireThat(n > 0, 'at least one question')
  const { alpha = 0.05, power = 0.8, sides = 2 } = options
  return zSum(alpha, power, sides) * Math.sqrt(perQuestion(variances, options) / n)
}

export interface QuestionCosts {
  /** Of writing or fetching a question and checking its answers' format: every cost that occurs once per question. */
  readonly question: number
  /** Of one answer of each system, grading included. */
  readonly answerA: number
  readonly answerB: number
}

export interface QuestionPlan {
  readonly questions: number
  readonly answers: number
  readonly cost: number
}

/**
 * The cheapest plan that finds `delta`: the numbers of questions, and of answers per question and system, with the
 * lowest total cost.
 */
export function cheapestPlan(
  variances: QuestionVariances,
  delta: number,
  costs: QuestionCosts,
  options: Omit<QuestionOptions, 'answersA' | 'answersB'> & {
    readonly mostAnswers?: number
    readonly mostQuestions?: number
  } = {},
): Estimate<QuestionPlan> {
  if (delta === 0) return unavailable('zero_effect')
  const { mostAnswers = 1000, mostQuestions = Infinity } = options
  let best: QuestionPlan | undefined
  for (let answers = 1; answers <= mostAnswers; answers++) {
    const needed = questionsNeeded(variances, delta, { ...options, answersA: answers, answersB: answers })
    if (typeof needed !== 'number') return needed
    const questions = wholeRuns(needed, 2)
    const cost = questions * (costs.question + answers * (costs.answerA + costs.answerB))
    if (questions <= mostQuestions && (best === undefined || cost < best.cost)) best = { questions, answers, cost }
  }
  return best ?? unavailable('unreachable')
}

function perQuestion({ between, withinA, withinB }: QuestionVariances, options: QuestionOptions): number {
  const { answersA = 1, answersB = 1 } = options
  requireThat(answersA >= 1 && answersB >= 1, 'at least one answer per question')
  requireThat(Math.min(between, withinA, withinB) >= 0, 'variances of 0 or more')
  return between + withinA / answersA + withinB / answersB
}
