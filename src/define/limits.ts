import { AssayError } from '../util/errors.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../util/json.ts'
import { suggest } from '../util/suggest.ts'
import { agentVariables } from './dialects/for-help.ts'
import {
  count,
  countFrom0,
  defaultRetries,
  dollars,
  expectedRate,
  formatRate,
  halt,
  type LimitKind,
  limit,
  milliseconds,
  millisecondsFrom0,
  optionalLimit,
  parseRate,
  type RateLimit,
  rates,
  retries,
  yesOrNo,
} from './limit-kinds.ts'

// Types of the table's values.
export type { HaltRule, LimitOption, RateLimit, Rates } from './limit-kinds.ts'

/**
 * Every limit, once. The experiment file's `limits`, the options of the command line, `assay set`, the output of `plan`
 * and `status`, and limits written back into a file all follow from this table.
 */
export const limitTable = {
  jobs: limit({
    key: 'jobs',
    kind: count,
    // Not from node:os: the types of this table are used in the browser too.
    usual: () => navigator.hardwareConcurrency,
    about: 'How many runs at once. Default: the number of CPU cores.',
    option: {
      name: 'jobs',
      short: 'j',
      aliases: ['num-workers'],
      value: 'n',
      env: 'ASSAY_JOBS',
      about: 'how many runs at once',
    },
  }),
  timeout_ms: optionalLimit({
    key: 'timeout',
    kind: milliseconds,
    about: 'How long one attempt may take: 30m, 1h30m, 90 (seconds). Default: no limit.',
    option: {
      name: 'timeout',
      value: 'duration',
      env: 'ASSAY_TIMEOUT',
      about: 'the time limit of an attempt: 90s, 30m, 1h30m',
    },
  }),
  grace_ms: limit({
    key: 'grace',
    kind: millisecondsFrom0,
    usual: () => 5000,
    about: 'How long a run may take to end after SIGTERM before it is killed. Default 5s.',
  }),
  budget_usd: optionalLimit({
    key: 'budget_usd',
    kind: dollars,
    cutsRuns: true,
    about: 'The most that the whole experiment may cost, in USD.',
    option: {
      name: 'budget',
      value: 'usd',
      env: 'ASSAY_BUDGET',
      about: 'the most that the whole experiment may cost',
    },
  }),
  run_budget_usd: {
    ...optionalLimit({
      key: 'run_budget_usd',
      kind: dollars,
      cutsRuns: true,
      about: 'The most that one run may cost, in USD. 0 declares commands and functions free; models: no limit.',
      option: { name: 'runBudget', value: 'usd', env: 'ASSAY_RUN_BUDGET', about: 'the most that one run may cost' },
    }),
    // Without it a budget would not be enforceable.
    isOptional: false,
  },
  run_calls: optionalLimit({
    key: 'run_calls',
    kind: count,
    cutsRuns: true,
    about: 'How many model calls one run may make. Default: no limit.',
    option: { name: 'runCalls', value: 'n', about: 'how many model calls one run may make' },
  }),
  run_tokens: optionalLimit({
    key: 'run_tokens',
    kind: count,
    cutsRuns: true,
    about: "How many tokens one run's calls may take, input and output together. Default: no limit.",
    option: { name: 'runTokens', value: 'n', about: "how many tokens one run's calls may take" },
  }),
  rate: limit({
    key: 'rate',
    kind: rates,
    usual: () => ({}),
    about: 'Rate limits by provider, per key: { openai: { rpm: 500, tpm: 200000 } }, or "500rpm,200000tpm".',
    option: {
      name: 'rate',
      value: 'provider=rate',
      about: 'the rate limit of a provider, per key, e.g. openai=500rpm,200000tpm or sim=4 at once',
    },
  }),
  fail_on_rate_limit: limit({
    key: 'fail_on_rate_limit',
    kind: yesOrNo,
    usual: () => false,
    about: 'Stop when a provider reports too many requests, instead of waiting. Default false.',
    option: {
      name: 'failOnRateLimit',
      about: 'stop when a provider reports too many requests, instead of waiting',
    },
  }),
  retries: {
    ...limit({
      key: 'retries',
      kind: retries,
      usual: () => defaultRetries,
      about: 'How often a failed run is retried: a number, or one per class of failure.',
      option: {
        name: 'retries',
        group: 'Failures',
        value: 'n',
        env: 'ASSAY_RETRIES',
        about: 'how often to retry a failed run',
      },
    }),
    // One number would be ambiguous once the classes differ.
    isSettable: false,
  },
  quarantine_after: limit({
    key: 'quarantine_after',
    kind: count,
    usual: () => 5,
    about: 'A run that fails the same way this often in a row is quarantined. Default 5.',
  }),
  halt: optionalLimit({
    key: 'halt',
    kind: halt,
    about: 'Start no more runs after this many failures: 5, or "10%".',
    option: {
      name: 'halt',
      group: 'Failures',
      value: 'rule',
      about: 'start no more runs after this many failures: fail=3 or fail=10%',
    },
  }),
  initial_failures: {
    ...limit({
      key: 'initial_failures',
      kind: countFrom0,
      usual: () => 5,
      about:
        'Start no more runs if the first n of a call, of several variants, all fail within a minute in the same way. 0: never. Default 5.',
      option: {
        name: 'initialFailures',
        group: 'Failures',
        value: 'n',
        env: agentVariables.initialFailures,
        about: 'start no more runs if the first n all fail at once in the same way; 0: never (default: 5)',
      },
    }),
    // Each process that works on an experiment counts its own first runs.
    isSettable: false,
  },
} as const

type Table = typeof limitTable
export type LimitField = keyof Table

/** Limits on a run's calls besides its budget, wherever it is performed: each job carries them. */
export const runCaps = ['run_calls', 'run_tokens'] as const satisfies readonly LimitField[]

export type RunCaps = Pick<Limits, (typeof runCaps)[number]>

export const runCapsOf = ({ run_calls, run_tokens }: RunCaps): RunCaps => ({ run_calls, run_tokens })

export const noRunCaps: RunCaps = { run_calls: null, run_tokens: null }

/** Limits: those that apply, or those that an experiment is defined with. */
export type Limits = { readonly [Field in LimitField]: ReturnType<Table[Field]['usual']> }

/** Limits given on the command line, which override others. */
export type GivenLimits = {
  readonly [Field in LimitField]?: ReturnType<Table[Field]['kind']['read']> | null | undefined
}

/** The limits of an experiment that sets none. */
export const defaultLimits = (): Limits => eachLimit(row => row.usual()) as unknown as Limits

/** The given limits override the earlier ones; null removes a limit. */
export function limitsOver(before: Limits, given: GivenLimits): Limits {
  const changes = limitFields.flatMap(field => {
    const value = given[field]
    if (value === undefined) return []
    // The two have the same field, so they are of one kind: more than TypeScript can follow.
    const { kind } = limitTable[field] as LimitKindOf<unknown>
    return [[field, value === null ? null : kind.over(before[field], value)] as const]
  })
  return { ...before, ...Object.fromEntries(changes) }
}

/** The limits that apply: those of the definition, overridden by `assay set`; rates provider by provider. */
export function limitsInForce(defined: Limits, set: JsonObject): Limits {
  const { rate } = set
  if (!isJsonObject(rate)) return { ...defined, ...set }
  const kept = Object.entries({ ...defined.rate, ...rate }).filter(([, limit]) => limit !== null)
  return { ...defined, ...set, rate: Object.fromEntries(kept) as Limits['rate'] }
}

/** Limits in the form of an experiment file; unlimited ones are left out. */
export function limitsInFile(limits: Limits): JsonObject {
  const written = limitFields.flatMap(field => {
    const row = limitTable[field] as LimitKindOf<unknown>
    const value = limits[field]
    return value === null ? [] : [[row.key, row.kind.inFile(value)] as const]
  })
  return Object.fromEntries(written)
}

export const limitFields = Object.keys(limitTable) as readonly LimitField[]

/** A value for each limit, by its field. */
function eachLimit<T>(of: (row: AnyLimit) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(limitFields.map(field => [field, of(limitTable[field])]))
}

type AnyLimit = Table[LimitField]
interface LimitKindOf<T> {
  readonly key: string
  readonly kind: LimitKind<T, T>
}

/** New limits override those that were set before: rates provider by provider. */
export function limitsMerged(before: JsonObject, changes: JsonObject): JsonObject {
  const { rate: old } = before
  const { rate } = changes
  const both = { ...before, ...changes }
  return isJsonObject(old) && isJsonObject(rate) ? { ...both, rate: { ...old, ...rate } } : both
}

/** The limits that can be changed while an experiment runs, by their names in a file; rates have names of their own. */
const settable = new Map(
  limitFields
    .filter(field => field !== 'rate' && limitTable[field].isSettable)
    .map(field => [limitTable[field].key, field] as const),
)

/** Limits that were set, in the form of `assay set`: `jobs=4`, `timeout=10m`, `rate.openai=500rpm`. */
export function limitTexts(limits: JsonObject): readonly string[] {
  return Object.entries(limits).flatMap(([name, value]) => {
    if (name === 'rate' && isJsonObject(value))
      return Object.entries(value).map(([provider, rate]) => `rate.${provider}=${rateText(rate)}`)
    const field = limitFields.find(one => one === name)
    return [`${field === undefined ? name : limitTable[field].key}=${limitText(field, value)}`]
  })
}

// The journal's values were made by `read` of the same limit: that is what the casts state.
function limitText(field: LimitField | undefined, value: Json): string {
  if (value === null) return 'none'
  if (field === undefined) return canonicalJson(value)
  const { write } = limitTable[field].kind as LimitKind<unknown>
  return write(value)
}

const rateText = (rate: Json): string => (rate === null ? 'none' : formatRate(rate as unknown as RateLimit))

/** `jobs=4 budget_usd=30 rate.openai=500rpm` as limits; earlier settings stay unless they are overridden. */
export function limitChanges(texts: readonly string[]): JsonObject {
  return texts.map(readChange).reduce(limitsMerged, {})
}

function readChange(text: string): JsonObject {
  const [name = '', ...rest] = text.split('=')
  const value = rest.join('=')
  const field = settable.get(name.replaceAll('-', '_'))
  if (rest.length === 0) throw notSettable(text, name)
  if (name.startsWith('rate.')) return { rate: { [name.slice('rate.'.length)]: readRate(value) } }
  if (field === undefined) throw notSettable(text, name)
  const { isOptional, kind } = limitTable[field]
  if (value === 'none' && isOptional) return { [field]: null }
  try {
    return { [field]: kind.read(value) as Json }
  } catch (error) {
    throw error instanceof AssayError ? new AssayError('usage', `${name}: ${error.message}`) : error
  }
}

function readRate(text: string): Json {
  if (text === 'none') return null
  const rate = parseRate(text)
  if (rate === null) throw new AssayError('usage', `${expectedRate}, got "${text}"`)
  return { ...rate }
}

export const nothingToSet = (): AssayError =>
  new AssayError('usage', 'nothing to set: give at least one limit, such as jobs=4', { hint: whatCanBeSet() })

function notSettable(text: string, name: string): AssayError {
  const near = suggest(name, settableNames())
  return new AssayError('usage', `can't set "${text}"${near === null ? '' : `; did you mean ${near}=…?`}`, {
    hint: whatCanBeSet(),
  })
}

const settableNames = (): readonly string[] => [...settable.keys(), 'rate.<provider>']

const whatCanBeSet = (): string =>
  `You can set: ${settableNames()
    .map(name => `${name}=…`)
    .join(' ')}`
