import type { Permits } from '../../define/permits.ts'
import { ModelError } from '../../models/model-error.ts'
import { type ModelFacts, modelFacts, presetNames } from '../../models/model-facts.ts'
import { openModels } from '../../models/open-models.ts'
import { AssayError } from '../../util/errors.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { factsLines } from '../views/facts-table.ts'
import { shortDuration } from '../views/number.ts'
import { type ChosenModels, chooseModels } from './chosen-models.ts'

/** `assay models check`: asks each model one short question, unless it is a dry run. Exit code 1 if one fails. */
export async function checkModels(words: readonly string[], options: Options, io: Io): Promise<number> {
  const chosen = chooseModels(words, options, io)
  const names = chosen.names ?? presetNames(chosen.env)
  if (names.length === 0)
    throw new AssayError('usage', 'no model is named, and no provider is set up', {
      hint: 'name models or a configuration file; assay models list shows which keys to set',
    })
  const facts = await Promise.all(names.map(name => modelFacts(name, chosen)))
  const isDry = options.dryRun ?? false
  const checks = await Promise.all(facts.map(fact => (isDry ? unasked(fact) : ask(fact, chosen))))
  if (options.json) {
    const models = facts.map((fact, index) => ({ ...fact, ...checks[index] }))
    writeJson(io.stdout, { kind: 'models_check', models })
  } else {
    const cells = checks.map(stateText)
    writeLines(io.stdout, factsLines(facts, io.stdout, [{ title: isDry ? 'usable' : 'answers', cells }]))
    writeLines(io.stdout, problemLines(checks))
  }
  return checks.some(({ is_usable }) => !is_usable) ? 1 : 0
}

interface Check {
  readonly is_usable: boolean
  /** null: not asked. */
  readonly is_reachable: boolean | null
  readonly latency_ms: number | null
  readonly cost_usd: number | null
  /** The model id that the provider returned. */
  readonly answered_as: string | null
  readonly error: { readonly fault: string; readonly message: string; readonly hint: string | null } | null
}

const unasked = ({ problem }: ModelFacts): Check => ({
  is_usable: problem === null,
  is_reachable: null,
  latency_ms: null,
  cost_usd: null,
  answered_as: null,
  error: problem,
})

async function ask(facts: ModelFacts, { env, settings }: ChosenModels): Promise<Check> {
  if (facts.problem !== null) return unasked(facts)
  const client = openModels({ env, settings, retry: { tries: 2, longest_retry_after_ms: 5_000 } }).client({
    permits: everything,
    seed: 1,
  })
  try {
    const answer = await client.call(
      {
        model: facts.name,
        messages: [{ role: 'user', content: 'Answer with the word ok.' }],
        // Models that reason first need room for it.
        max_output_tokens: 256,
        purpose: 'answer',
      },
      AbortSignal.timeout(60_000),
    )
    const { latency_ms, cost_usd, model_id } = answer
    return { is_usable: true, is_reachable: true, latency_ms, cost_usd, answered_as: model_id, error: null }
  } catch (error) {
    // It used up its answer with reasoning, but it answered.
    if (error instanceof ModelError && error.fault === 'empty_answer') return { ...unasked(facts), is_reachable: true }
    return { ...unasked(facts), is_usable: false, ...reachedAnyway(error), error: errorFacts(error) }
  }
}

/** A check has no limits: it costs a few tokens, and was requested. */
const everything: Permits = { acquire: async ask => ({ id: 0, ask }), settle: () => {} }

/** A provider that refuses can be reached. */
const reachedAnyway = (error: unknown): Pick<Check, 'is_reachable'> => ({
  is_reachable: error instanceof ModelError && error.status !== null,
})

function errorFacts(error: unknown): NonNullable<Check['error']> {
  if (error instanceof ModelError) return { fault: error.fault, message: error.message, hint: error.hint ?? null }
  if (error instanceof DOMException) return { fault: 'no_answer', message: 'no answer came within 60 s', hint: null }
  throw error
}

function stateText({ is_usable, latency_ms, error }: Check): string {
  if (!is_usable) return `no: ${error?.fault ?? 'unknown'}`
  return latency_ms === null ? 'yes' : `yes, ${shortDuration(latency_ms)}`
}

function problemLines(checks: readonly Check[]): string[] {
  const lines = checks.flatMap(({ error }) => {
    if (error === null) return []
    return [`✗ ${error.message}`, ...(error.hint === null ? [] : [`  ${error.hint}`])]
  })
  return lines.length === 0 ? [] : ['', ...lines]
}
