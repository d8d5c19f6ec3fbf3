import type { ModelClient } from '../../models/model-call.ts'
import type { Json } from '../../util/json.ts'
import { type CheckedAssertion, checkAssertion, NoScore } from './asserts/check-assertion.ts'
import { transformed } from './asserts/inline-code.ts'
import { type Conversation, dataIn } from './converse.ts'
import type { Question } from './question.ts'
import type { ResolvedPrompt } from './resolved-prompt.ts'

/** The answer checked against all asserts, in order. */
export async function applyAsserts(
  whole: ResolvedPrompt,
  question: Question,
  conversation: Conversation,
  around: { readonly client: Pick<ModelClient, 'call'>; readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly CheckedAssertion[]> {
  const { test, vars, prompt, model, options } = question
  const code = options.transform
  const { last } = conversation
  const text =
    code === undefined ? last.text : await asScore(() => transformed(code, last.text, { vars, prompt, model }))
  const parts = {
    question,
    conversation,
    text,
    // The model layer has parsed the value from JSON.
    data: code === undefined && last.value !== undefined ? (last.value as Json) : dataIn(text),
    judge: options.provider ?? whole.judge,
    rubricPrompt: options.rubricPrompt,
    ...around,
  }
  const held: CheckedAssertion[] = []
  for (const assertion of [...whole.assert, ...(test?.assert ?? [])]) held.push(await checkAssertion(assertion, parts))
  return held
}

async function asScore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw new NoScore('transform', error)
  }
}
