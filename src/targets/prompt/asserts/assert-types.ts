/** The types of asserts; `not-` before them negates them. The names are promptfoo's if it has one. */
export const assertTypes = [
  'equals',
  'contains',
  'icontains',
  'contains-all',
  'contains-any',
  'icontains-all',
  'icontains-any',
  'starts-with',
  'regex',
  'levenshtein',
  'is-json',
  'contains-json',
  'json-path',
  'number',
  'calls-tool',
  'is-valid-openai-tools-call',
  'is-valid-openai-function-call',
  'tool-call-f1',
  'finish-reason',
  'function',
  'javascript',
  'llm-rubric',
  'cost',
  'latency',
] as const

export type AssertType = (typeof assertTypes)[number]

/** Several asserts that count as one. */
export const setType = 'assert-set'

const aJudge = 'use llm-rubric: say in its value what a good answer is'
const aFunction = 'use javascript, with code or value: file://check.mjs'
const wordsOrJudge = 'use contains, levenshtein, or llm-rubric with the expected text in its value'

/** Asserts of promptfoo that are not done here, with the nearest that is. */
const notDone: Readonly<Record<string, string>> = {
  similar: wordsOrJudge,
  'rouge-n': wordsOrJudge,
  bleu: wordsOrJudge,
  gleu: wordsOrJudge,
  meteor: wordsOrJudge,
  perplexity: 'use a metric of your own: type javascript with metric',
  'perplexity-score': 'use a metric of your own: type javascript with metric',
  'is-html': aFunction,
  'contains-html': aFunction,
  'is-xml': aFunction,
  'contains-xml': aFunction,
  'is-sql': aFunction,
  'contains-sql': aFunction,
  'word-count': aFunction,
  'is-refusal': `${aJudge}, or icontains-any with the usual phrases`,
  python: `${aFunction}; or a command target that runs the program`,
  ruby: aFunction,
  webhook: `${aFunction} that calls fetch`,
  classifier: aJudge,
  moderation: aJudge,
  guardrails: aJudge,
  factuality: aJudge,
  'model-graded-factuality': aJudge,
  'model-graded-closedqa': aJudge,
  'g-eval': aJudge,
  'answer-relevance': aJudge,
  'context-faithfulness': `${aJudge}, with {{context}} in it`,
  'context-recall': `${aJudge}, with {{context}} in it`,
  'context-relevance': `${aJudge}, with {{context}} in it`,
  'conversation-relevance': aJudge,
  'search-rubric': aJudge,
  'agent-rubric': aJudge,
  pi: aJudge,
  'select-best': '`assay compare` says which variant is better; the score of each answer is its own',
  'max-score': '`assay compare` says which variant is better; the score of each answer is its own',
  human: 'put labels of people into the case file: label, or a column __label',
}

/** Why this type is not supported, and what to use instead; null: nothing is known about it. */
export function insteadOf(type: string): string | null {
  const name = type.replace(/^not-/, '')
  if (Object.hasOwn(notDone, name)) return `${name} is an assert of promptfoo that is not done here; ${notDone[name]}`
  if (/^(trace-|trajectory:)/.test(name))
    return `${name} is an assert of promptfoo that is not done here; use calls-tool, or read trace.jsonl of the run`
  if (/^(promptfoo:|redteam)/.test(name)) return `${name}: red-team asserts of promptfoo are not done here; ${aJudge}`
  if (name === setType && type !== name) return 'not-assert-set: negate the asserts in it'
  return null
}
