import type { ModelClient } from '../../../models/model-call.ts'
import { ModelError, outcomeOfModelError } from '../../../models/model-error.ts'
import { messageOf } from '../../../util/errors.ts'
import type { Json } from '../../../util/json.ts'
import type { Conversation } from '../converse.ts'
import type { Question } from '../question.ts'
import { fillJson, textOf } from '../template.ts'
import { type Assertion, typeOf } from './assert-schema.ts'
import { judgeCall, verdictOf } from './judge.ts'
import { lookAt } from './text-asserts.ts'
import { callScorer, placeOf } from './user-function.ts'

/** What came of one assert. */
export interface CheckedAssertion {
  readonly type: string
  readonly score: number
  readonly passed: boolean
  readonly reason: string
  readonly weight: number
  readonly metric?: string
}

/** A judge that gives no verdict says nothing about the answer: the run has no result, rather than a bad one. */
export class NoVerdict extends Error {
  constructor(model: string, message: string) {
    super(`the judge ${model} gave no verdict: ${message}`)
    this.name = 'NoVerdict'
  }
}

/** A scoring function of the user's threw, or a pattern is none once it is filled in: no score comes of it. */
export class NoScore extends Error {
  constructor(type: string, cause: unknown) {
    super(`${type}: ${messageOf(cause)}`, { cause })
    this.name = cause instanceof Error ? cause.name : 'NoScore'
  }
}

export interface CheckParts {
  readonly question: Question
  readonly conversation: Conversation
  /** The answer as JSON; undefined where it is none. */
  readonly data: Json | undefined
  /** The model that judges where an assert names none. */
  readonly judge: string | undefined
  readonly client: ModelClient
  readonly folder: string
  readonly signal: AbortSignal
}

/** Holds an answer to one assert. */
export async function checkAssertion(assertion: Assertion, parts: CheckParts): Promise<CheckedAssertion> {
  const { isNot } = typeOf(assertion)
  const { score, passed, reason } = await found(assertion, parts)
  return {
    type: assertion.type,
    score: isNot ? 1 - score : score,
    passed: isNot ? !passed : passed,
    reason,
    weight: assertion.weight ?? 1,
    ...(assertion.metric !== undefined && { metric: assertion.metric }),
  }
}

type Found = Pick<CheckedAssertion, 'score' | 'passed' | 'reason'>

async function found(assertion: Assertion, parts: CheckParts): Promise<Found> {
  const { type } = typeOf(assertion)
  const { question, conversation, data } = parts
  const { last } = conversation
  switch (type) {
    case 'function':
    case 'javascript':
      return byThreshold(await byFunction(assertion, parts), assertion)
    case 'llm-rubric':
      return byThreshold(await byJudge(assertion, parts), assertion)
    case 'cost': {
      const costs = conversation.answers.map(answer => answer.cost_usd ?? Number.NaN)
      return within(
        'its cost in USD',
        costs.reduce((sum, usd) => sum + usd, 0),
        assertion,
      )
    }
    case 'latency':
      return within(
        'its latency in ms',
        conversation.answers.reduce((sum, { latency_ms }) => sum + latency_ms, 0),
        assertion,
      )
    default: {
      const value = assertion.value === undefined ? undefined : fillJson(assertion.value, question.vars)
      try {
        const { holds, reason } = lookAt(type, { text: last.text, data }, { ...assertion, value })
        return { score: Number(holds), passed: holds, reason }
      } catch (error) {
        throw new NoScore(assertion.type, error)
      }
    }
  }
}

/** A threshold decides, where one is given; otherwise whoever scored it. */
const byThreshold = (scored: Found, { threshold }: Assertion): Found =>
  threshold === undefined ? scored : { ...scored, passed: scored.score >= threshold }

/** What is not known is not within anything. */
function within(what: string, amount: number, { threshold = 0 }: Assertion): Found {
  if (Number.isNaN(amount)) return { score: 0, passed: false, reason: `${what} is not known` }
  const passed = amount <= threshold
  return { score: Number(passed), passed, reason: `${what} is ${amount}, allowed are ${threshold}` }
}

async function byFunction(
  assertion: Assertion,
  { question, conversation, data, folder, signal }: CheckParts,
): Promise<Found> {
  const { vars, prompt, model, test, settings } = question
  const scored = callScorer(placeOf(assertion, folder), conversation.last.text, {
    vars,
    data,
    prompt,
    model,
    case: test?.id ?? null,
    replicate: Number(vars.replicate),
    seed: settings.seed ?? 0,
  })
  return Promise.race([scored.catch(error => Promise.reject(new NoScore(assertion.type, error))), aborted(signal)])
}

/** A function that never comes back must not keep a run that is to end. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

async function byJudge(
  assertion: Assertion,
  { question, conversation, judge, client, signal }: CheckParts,
): Promise<Found> {
  const model = assertion.judge ?? assertion.provider ?? judge
  if (model === undefined) throw new NoVerdict('?', 'none is named')
  const rubric = textOf(fillJson(assertion.value ?? '', question.vars))
  const asked = conversation.messages.slice(0, -1).map(({ role, content }) => `${role}: ${content}`)
  const { last } = conversation
  const call = judgeCall(model, {
    rubric,
    question: asked.join('\n\n'),
    answer: last.text,
    seed: question.settings.seed,
  })
  const { value } = await client.call(call, signal).catch(error => {
    // What the judge itself did wrong is not the answer's fault.
    throw error instanceof ModelError && outcomeOfModelError(error).kind === 'failed'
      ? new NoVerdict(model, error.message)
      : error
  })
  const verdict = verdictOf(value)
  if (verdict === null) throw new NoVerdict(model, `it said ${JSON.stringify(value)}`)
  return verdict
}
