import { type ReasoningEffort, reasoningEfforts } from '../../define/models/model-settings.ts'
import type { Run } from '../../define/run.ts'
import type { ModelCall } from '../../models/model-call.ts'
import type { Json, JsonObject } from '../../util/json.ts'
import type { NamedCase } from './cases/name-cases.ts'
import type { ResolvedPrompt } from './resolved-prompt.ts'
import type { CaseOptions, PromptMessage } from './spec.ts'
import { fillPrompt } from './templates/template.ts'

/** The question of one run: the model, the words, and the asserts for the answer. */
export interface Question {
  readonly prompt: string
  readonly model: string
  readonly turns: readonly PromptMessage[]
  readonly vars: JsonObject
  readonly test: NamedCase | null
  /** How it is asked and checked. */
  readonly options: CaseOptions
  readonly settings: Pick<
    ModelCall,
    'temperature' | 'top_p' | 'max_output_tokens' | 'reasoning' | 'stop' | 'schema' | 'tools' | 'seed'
  >
}

/** A run that can't be asked because its prompt or case is missing; `check` finds most of them before. */
export class NoQuestion extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'NoQuestion'
  }
}

export function questionOf(whole: ResolvedPrompt, run: Run): Question {
  const { params } = run
  const names = Object.keys(whole.prompts)
  const prompt = String(params.prompt ?? (names.length === 1 ? names[0] : ''))
  const turns = Object.hasOwn(whole.prompts, prompt) ? whole.prompts[prompt] : undefined
  if (turns === undefined) throw new NoQuestion(`there is no prompt "${prompt}"; known: ${names.join(', ')}`)
  if (typeof params.model !== 'string') throw new NoQuestion('no model is named')
  const test = caseOf(whole, run)
  // The case's settings take precedence: the prompt is about the case.
  const options = { ...whole.options, ...test?.options }
  const vars = { seed: run.seed, replicate: run.replicate, ...whole.vars, ...params, ...run.block, ...test?.vars }
  return {
    prompt,
    model: params.model,
    turns: turns.map((turn, at) =>
      turn.content === undefined ? turn : { ...turn, content: fillPrompt(surrounded(turn, at, turns, options), vars) },
    ),
    vars,
    test,
    options,
    settings: settingsOf(whole, run),
  }
}

/** A case may put words before and after the user's words. */
function surrounded(
  { content = '' }: PromptMessage,
  at: number,
  turns: readonly PromptMessage[],
  { prefix = '', suffix = '' }: CaseOptions,
): string {
  const said = turns.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  return `${at === said[0] ? prefix : ''}${content}${at === said.at(-1) ? suffix : ''}`
}

const casesById = new WeakMap<ResolvedPrompt['tests'], ReadonlyMap<string, NamedCase>>()

function caseOf({ tests }: ResolvedPrompt, { block }: Run): NamedCase | null {
  if (tests.length === 0) return null
  const known = casesById.get(tests) ?? new Map(tests.map(test => [test.id, test]))
  casesById.set(tests, known)
  const found = known.get(String(block.case))
  if (found === undefined) throw new NoQuestion(`there is no case "${String(block.case)}"`)
  return found
}

/** Parameters of these names take precedence over the target: so they can be factors. */
export function settingsOf(whole: ResolvedPrompt, { params, seed }: Run): Question['settings'] {
  const number = (given: Json | undefined, otherwise: number | undefined) =>
    typeof given === 'number' ? given : otherwise
  return {
    temperature: number(params.temperature, whole.temperature),
    top_p: number(params.top_p, whole.top_p),
    max_output_tokens: number(params.max_output_tokens, whole.max_output_tokens),
    reasoning: reasoningOf(params.reasoning) ?? whole.reasoning,
    stop: whole.stop,
    schema: whole.schema,
    ...(whole.tools !== undefined && { tools: whole.tools }),
    seed,
  }
}

const reasoningOf = (given: Json | undefined): ReasoningEffort | undefined =>
  reasoningEfforts.find(effort => effort === given)
