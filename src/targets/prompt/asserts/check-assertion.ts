import type { ModelAnswer, ModelClient } from '../../../models/model-call.ts'
import { messageOf } from '../../../util/errors.ts'
import type { Json } from '../../../util/json.ts'
import { type Conversation, dataIn, saidIn } from '../converse.ts'
import type { Question } from '../question.ts'
import { fillJson, fillPrompt, textOf } from '../templates/template.ts'
import { type Assertion, isSet, type OneAssert, typeOf } from './assert-schema.ts'
import { transformed } from './inline-code.ts'
import { askJudge, judgesOf, NoVerdict, panelVerdict, type Verdict } from './judge.ts'
import type { JudgeSpec, RubricPrompt } from './judge-schema.ts'
import { checkText } from './text-asserts.ts'
import { areValidCalls, callsTool, toolF1 } from './tool-asserts.ts'
import { callScorer, isInline, placeOf, runCode, type ScoringContext } from './user-function.ts'

/** The result of one assert. */
export interface CheckedAssertion {
  readonly type: string
  readonly score: number
  readonly passed: boolean
  readonly reason: string
  readonly weight: number
  readonly metric?: string
  /** Further scores of a function, under its own names. */
  readonly named?: Readonly<Record<string, number>> | undefined
  /** The verdict of each judge. */
  readonly judges?: readonly JudgeVerdict[] | undefined
  /** For a set: the asserts in it. */
  readonly asserts?: readonly CheckedAssertion[]
}

export interface JudgeVerdict extends Verdict {
  readonly judge: string
}

/** A user's scoring function threw, or a pattern is invalid once it is filled in: there is no score. */
export class NoScore extends Error {
  constructor(type: string, cause: unknown) {
    super(`${type}: ${messageOf(cause)}`, { cause })
    this.name = cause instanceof Error ? cause.name : 'NoScore'
  }
}

export interface CheckParts {
  readonly question: Question
  readonly conversation: Conversation
  /** The text to check: the last answer, or the result of a transform. */
  readonly text: string
  /** The answer as JSON; undefined if it is not JSON. */
  readonly data: Json | undefined
  /** The judge of asserts that name none. */
  readonly judge: JudgeSpec | undefined
  /** The prompt for judges if neither an assert nor its judge has one. */
  readonly rubricPrompt: RubricPrompt | undefined
  readonly client: Pick<ModelClient, 'call'>
  readonly folder: string
  readonly signal: AbortSignal
}

/** Holds an answer to one assert, or to a set of them. */
export async function checkAssertion(assertion: Assertion, parts: CheckParts): Promise<CheckedAssertion> {
  const { metric, weight = 1 } = assertion
  const about = { weight, ...(metric !== undefined && { metric: fillPrompt(metric, parts.question.vars) }) }
  if (isSet(assertion)) {
    const asserts: CheckedAssertion[] = []
    for (const one of assertion.assert) asserts.push(await checkAssertion(one, parts))
    return { type: assertion.type, ...setScore(asserts, assertion.threshold), ...about, asserts }
  }
  const { isNot } = typeOf(assertion)
  const { score, passed, reason, named, judges } = await found(assertion, await withTransformed(assertion, parts))
  return {
    type: assertion.type,
    score: isNot ? 1 - score : score,
    passed: isNot ? !passed : passed,
    reason,
    ...about,
    ...(named !== undefined && { named }),
    ...(judges !== undefined && { judges }),
  }
}

/** The weighted mean of the set; it has passed when all have, or from its threshold on. */
function setScore(asserts: readonly CheckedAssertion[], threshold: number | undefined) {
  const { score, passed } = scoreOf(asserts, threshold) ?? { score: 1, passed: true }
  const failed = asserts.filter(one => !one.passed)
  const reason =
    failed.length === 0
      ? 'all hold'
      : `${failed.length} of ${asserts.length} do not hold: ${failed.map(one => `${one.type}: ${one.reason}`).join('; ')}`
  return { score, passed, reason }
}

/**
 * How well an answer satisfies all asserts together: the weighted mean, and whether it passed. null: there are no
 * asserts.
 */
export function scoreOf(
  held: readonly CheckedAssertion[],
  threshold: number | undefined,
): { readonly score: number; readonly passed: boolean } | null {
  if (held.length === 0) return null
  const weight = held.reduce((sum, one) => sum + one.weight, 0)
  const score = weight === 0 ? 1 : held.reduce((sum, one) => sum + one.weight * one.score, 0) / weight
  return {
    score,
    passed: threshold === undefined ? held.every(one => one.passed || one.weight === 0) : score >= threshold,
  }
}

type Found = Pick<CheckedAssertion, 'score' | 'passed' | 'reason' | 'named' | 'judges'>

async function withTransformed(assertion: OneAssert, parts: CheckParts): Promise<CheckParts> {
  if (assertion.transform === undefined) return parts
  try {
    const text = await transformed(assertion.transform, parts.text, contextOf(assertion, parts))
    return { ...parts, text, data: dataIn(text) }
  } catch (error) {
    throw new NoScore(assertion.type, error)
  }
}

async function found(assertion: OneAssert, parts: CheckParts): Promise<Found> {
  const { type } = typeOf(assertion)
  const { question, conversation, text, data } = parts
  const { tool_calls, finish } = conversation.last
  const value = () => (assertion.value === undefined ? undefined : fillJson(assertion.value, question.vars))
  switch (type) {
    case 'function':
    case 'javascript':
      return byThreshold(await byFunction(assertion, parts), assertion)
    case 'llm-rubric':
      return byThreshold(await byJudges(assertion, parts), assertion)
    case 'cost':
      return within('its price in USD', priceOfAnswer(conversation.answers), assertion)
    case 'latency':
      return within(
        'its latency in ms',
        conversation.answers.reduce((sum, { latency_ms }) => sum + latency_ms, 0),
        assertion,
      )
    case 'calls-tool':
      return callsTool(tool_calls, value() ?? null)
    case 'is-valid-openai-tools-call':
    case 'is-valid-openai-function-call':
      return areValidCalls(tool_calls, question.settings.tools ?? [])
    case 'tool-call-f1':
      return toolF1(tool_calls, value() ?? null, assertion.threshold)
    case 'finish-reason': {
      const holds = finish === textOf(value() ?? '')
      return { score: Number(holds), passed: holds, reason: `it ended by ${finish}` }
    }
    default:
      try {
        const { holds, reason } = checkText(type, { text, data }, { ...assertion, value: value() })
        return { score: Number(holds), passed: holds, reason }
      } catch (error) {
        throw new NoScore(assertion.type, error)
      }
  }
}

/** A threshold decides if there is one; otherwise the scorer. */
const byThreshold = (scored: Found, { threshold }: OneAssert): Found =>
  threshold === undefined ? scored : { ...scored, passed: scored.score >= threshold }

/** An unknown amount is not within any limit. */
function within(what: string, amount: number | null, { threshold = 0 }: OneAssert): Found {
  if (amount === null) return { score: 0, passed: false, reason: `${what} is not known` }
  const passed = amount <= threshold
  return { score: Number(passed), passed, reason: `${what} is ${amount}, allowed are ${threshold}` }
}

async function byFunction(assertion: OneAssert, parts: CheckParts): Promise<Found> {
  const { text, folder, signal, question } = parts
  const context = contextOf(assertion, parts)
  const scored = isInline(assertion)
    ? runCode(fillPrompt(String(assertion.value), question.vars), text, context)
    : callScorer(placeOf(assertion, folder), text, context)
  return Promise.race([scored.catch(error => Promise.reject(new NoScore(assertion.type, error))), aborted(signal)])
}

function contextOf(assertion: OneAssert, { question, conversation, data }: CheckParts): ScoringContext {
  const { vars, prompt, model, test, settings } = question
  const isPromptfoos = typeOf(assertion).type === 'javascript'
  return {
    vars,
    data,
    prompt: isPromptfoos ? askedText(conversation) : prompt,
    model,
    case: test?.id ?? null,
    replicate: Number(vars.replicate),
    seed: settings.seed ?? 0,
    tool_calls: conversation.last.tool_calls,
    config: assertion.config ?? {},
    provider: { id: model },
  }
}

/** A prompt of one message unchanged; a conversation as a list of messages in JSON. */
function askedText({ messages }: Conversation): string {
  const asked = messages.slice(0, -1).map(message => ({ role: message.role, content: saidIn(message) }))
  const [only] = asked
  return asked.length === 1 && only?.role === 'user' ? only.content : JSON.stringify(asked)
}

/** A function that never comes back must not keep a run that is to end. */
const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

async function byJudges(
  assertion: OneAssert,
  { question, conversation, text, judge, rubricPrompt, client, signal }: CheckParts,
): Promise<Found> {
  const judges = judgesOf(assertion, judge, rubricPrompt)
  if (judges.length === 0) throw new NoVerdict('?', 'none is named')
  const asked = conversation.messages.slice(0, -1).map(message => `${message.role}: ${saidIn(message)}`)
  const about = {
    rubric: textOf(fillJson(assertion.value ?? '', question.vars)),
    question: asked.join('\n\n'),
    answer: text,
    vars: question.vars,
    seed: question.settings.seed,
  }
  const verdicts: JudgeVerdict[] = []
  for (const one of judges) verdicts.push({ judge: one.name, ...(await askJudge(one, about, client, signal)) })
  return { ...panelVerdict(verdicts), judges: verdicts }
}

/** The price of answers, paid for now or cached; null: unknown. */
function priceOfAnswer(answers: readonly ModelAnswer[]): number | null {
  const prices = answers.map(({ is_cached, saved_usd, cost_usd }) => (is_cached ? saved_usd : cost_usd))
  return prices.reduce<number | null>((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0)
}
