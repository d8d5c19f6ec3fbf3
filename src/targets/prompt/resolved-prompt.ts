import type { ReasoningEffort } from '../../define/models/model-settings.ts'
import type { Tool } from '../../models/model-call.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Assertion } from './asserts/assert-schema.ts'
import type { JudgeSpec } from './asserts/judge-schema.ts'
import type { NamedCase } from './cases/name-cases.ts'
import type { CaseOptions, PromptMessage, PromptSpec } from './spec.ts'

/** A prompt target once all files are read: the form that runs are made from and that the journal stores. */
export interface ResolvedPrompt {
  readonly kind: 'prompt'
  readonly prompts: { readonly [name: string]: readonly PromptMessage[] }
  readonly tests: readonly NamedCase[]
  readonly vars: JsonObject
  readonly assert: readonly Assertion[]
  readonly threshold?: number | undefined
  readonly judge?: JudgeSpec | undefined
  /** For all cases; a case's own options take precedence. */
  readonly options?: CaseOptions | undefined
  readonly tools?: readonly Tool[] | undefined
  readonly schema?: JsonObject | undefined
  readonly temperature?: number | undefined
  readonly top_p?: number | undefined
  readonly max_output_tokens?: number | undefined
  readonly reasoning?: ReasoningEffort | undefined
  readonly stop?: readonly string[] | undefined
}

/** The result of `complete` is read back from the journal unchanged: the same schema has parsed it. */
export function resolvedPrompt(spec: PromptSpec): ResolvedPrompt {
  const { prompts, tests, vars = {}, assert = [] } = spec
  if (Array.isArray(prompts) || !Array.isArray(tests))
    throw new Error('the prompts of this experiment were not read yet')
  return { ...spec, vars, assert } as ResolvedPrompt
}
