/** How an attempt ended. */
export const outcomeKinds = [
  'completed',
  'failed',
  'timed_out',
  'cost_limited',
  'rate_limited',
  'stopped_early',
  'cancelled',
  'infra_error',
] as const

export type OutcomeKind = (typeof outcomeKinds)[number]

/** Outcomes with causes outside the run, which say nothing about it: the next `run` executes it again. */
export const cutOff: readonly OutcomeKind[] = ['cancelled', 'rate_limited', 'infra_error']

/** The class of an attempt with a process that can't be ended: no other attempt may start next to it automatically. */
export const unkillableClass = 'unkillable'

export interface Outcome {
  readonly kind: OutcomeKind
  readonly exit_code?: number | null
  readonly signal?: string | null
  /** A stable word for the cause: `exit_7`, `signal_SIGSEGV`, `missing_output`, `spawn_ENOENT`, a JavaScript error's name. */
  readonly error_class?: string
  /** One sentence for a person. */
  readonly message?: string
  /** The line of its output that says why it failed; for programs, whose message only has the exit code. */
  readonly said?: string
  readonly unsupported_environment?: boolean
  /** How it was isolated, and what the host provided: results with different isolation are not comparable. */
  readonly sandbox?: string
  /** Which limit cut it: `run_budget_usd`, `budget_usd`, `run_calls`, `run_tokens`, `unknown_price`. */
  readonly limit?: string
  /** The value of that limit: once it is higher, the run is executed again. */
  readonly limit_at?: number | null
  /** The run's own work is done and kept; only its scoring failed. The next attempt only scores it. */
  readonly only_scoring_left?: boolean
  /** How an agent's work ended, in the agent's own words: `submitted`, `exit_cost`, `submitted (exit_context)`. */
  readonly exit_status?: string
}

/** Why a running attempt is asked to end; passed as the reason of its AbortSignal. */
export interface StopReason {
  readonly kind: 'timed_out' | 'cancelled' | 'cost_limited' | 'stopped_early'
  readonly message: string
  /** As in the outcome. */
  readonly limit?: string
  readonly limit_at?: number | null
}

/** Why an attempt is asked to end; null while it isn't. An abort without such a reason counts as cancelled. */
export function stopReasonOf(signal: AbortSignal): StopReason | null {
  if (!signal.aborted) return null
  return isStopReason(signal.reason) ? signal.reason : { kind: 'cancelled', message: 'cancelled' }
}

function isStopReason(reason: unknown): reason is StopReason {
  if (typeof reason !== 'object' || reason === null || !('kind' in reason)) return false
  return outcomeKinds.some(kind => kind === reason.kind)
}

/** Calls back when the signal is aborted, or at once if it is; the returned function cancels this. */
export function onStop(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

/** Whether an outcome is the run's own fault: counted by `failed=`, fail-fast and halt rules. */
export function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'failed' || outcome.kind === 'timed_out' || outcome.kind === 'infra_error'
}

/**
 * How a run failed, in a few words: from its message, or else the class of its error. `KeyError`, `connection refused`,
 * `RangeError: context is full`, `exit_7`, `timed out`. Failures with the same words are one failure mode. `printed`:
 * the last line of its output, if the outcome was recorded without it.
 */
export function failureMode({ kind, error_class, message = '', said }: Outcome, printed = ''): string {
  if (kind !== 'failed' && kind !== 'infra_error') return kind.replaceAll('_', ' ')
  if (error_class === undefined) return failureCause(said ?? message) || kind.replaceAll('_', ' ')
  if (error_class.startsWith('signal_')) return error_class
  if (error_class.startsWith('exit_')) return failureCause(said ?? printed) || error_class
  const cause = failureCause(message)
  return cause === '' || cause.startsWith(error_class) ? cause || error_class : `${error_class}: ${cause}`
}

/** The same after the kind of outcome: `failed: KeyError`, `timed out`. */
export function namedFailure(outcome: Outcome, printed = ''): string {
  const kind = outcome.kind.replaceAll('_', ' ')
  const mode = failureMode(outcome, printed)
  return mode === kind ? kind : `${kind}: ${mode}`
}

/**
 * The state of an experiment: printed by `run` and `status --json`, and stored in `summary.json`. The states add up to
 * `planned`.
 */
export interface Summary {
  readonly dir: string
  readonly planned: number
  readonly completed: number
  readonly failed: number
  readonly timed_out: number
  readonly cost_limited: number
  readonly rate_limited: number
  readonly stopped_early: number
  readonly cancelled: number
  readonly infra_error: number
  readonly quarantined: number
  readonly stale: number
  readonly running: number
  readonly pending: number
  /** Completed before this call. */
  readonly reused: number
  readonly attempts: number
  readonly cost_usd: number
  readonly overrun_usd: number
  readonly wall_s: number
}

/** The predicted cost of the whole experiment, from the cost of its runs so far. */
export interface CostForecast {
  readonly estimate_usd: number
  readonly low_usd: number
  readonly high_usd: number
  /** Of the interval. */
  readonly level: number
  /** How many runs it is based on, and how many are still to come. */
  readonly runs: number
  readonly to_come: number
}

/** The exit code of a call: see `docs/exit-codes.md`. `isUnanswered`: no run has a value of the primary metric. */
export function exitCodeOf(summary: Summary, interrupted: boolean, isUnanswered = false): number {
  const bad = summary.failed + summary.timed_out + summary.infra_error + summary.quarantined
  const unfinished =
    summary.pending + summary.running + summary.cancelled + summary.rate_limited + summary.cost_limited + summary.stale
  if (interrupted && unfinished > 0) return 130
  if (bad > 0) return 1
  if (unfinished > 0) return 3
  return isUnanswered ? 1 : 0
}

/**
 * The cause in a failure's message, without the parts that differ from run to run: `KeyError: 'alpha'` and `KeyError:
 * 'beta'` are both `KeyError`, and every wording of a refused connection is `connection refused`. Failures with the
 * same cause are one failure mode. '' if nothing is left. The first of several lines counts; see tellingLine for a
 * program's output.
 */
export function failureCause(message: string): string {
  const text = (message.split(/[\r\n]+/).find(line => line.trim() !== '') ?? '').trim().slice(0, mostRead)
  const known = knownCauses.find(([, pattern]) => pattern.test(text))
  return known === undefined ? cut(masked(withoutPrefix(text))) : known[0]
}

/** A hostile line must not cost more than an ordinary one. */
const mostRead = 1000
const longest = 120

/** Causes that every library words differently; the first match is the answer. */
const knownCauses: readonly (readonly [string, RegExp])[] = [
  ['connection refused', /\bECONNREFUSED\b|connection refused/i],
  ['connection reset', /\bECONNRESET\b|connection (?:was )?reset|socket hang up/i],
  ['host name not found', /\b(?:ENOTFOUND|EAI_AGAIN)\b|name or service not known|could not resolve host/i],
  ['connection timed out', /\b(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b|connect(?:ion)?(?: attempt)? timed out/i],
  ['rate limited', /\b(?:HTTP|status|error|code)\W{0,9}429\b|too many requests|rate.?limit.{0,9}(?:exceeded|reached)/i],
  ['out of GPU memory', /\b(?:CUDA|HIP|GPU)\b.{0,40}\bout of memory|CUDA_ERROR_OUT_OF_MEMORY/i],
  ['out of memory', /\bENOMEM\b|out of memory|cannot allocate memory|^MemoryError\b|OutOfMemoryError/i],
  ['disk full', /\bENOSPC\b|no space left on device/i],
  ['too many open files', /\bEMFILE\b|too many open files/i],
  ['permission denied', /\bEACCES\b|permission denied/i],
]

/** Without the time and level of a log line, and without the common prefix of a language's errors. */
function withoutPrefix(text: string): string {
  return text
    .replace(/^[[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?[\d.,]{0,10}(?:Z|[+-]\d\d:?\d\d)?[\])]?\s*/, '')
    .replace(/^(?:[[(]?(?:ERROR|FATAL|CRITICAL|PANIC)\b[\])]?[\s:|-]+)+(?=\S)/i, '')
    .replace(/^(?:Uncaught |Unhandled )?(?:Error|Exception): (?=\S)/, '')
    .replace(/^(?:[a-z_]\w{0,60}\.){1,8}(?=[A-Z]\w{0,60}(?:Error|Exception)\b)/, '')
}

/** Numbers that identify a kind of failure stay: exit codes, HTTP statuses, numbers of system errors. */
const codes = /(\b(?:exit code|status|code|errno|HTTP(?:\/[\d.]{1,3})?)[ =:]{0,2}\d{1,3}\b)/i

function masked(text: string): string {
  const parts = text.split(codes).map((part, at) => (at % 2 === 1 ? part : varying.reduce(replaced, part)))
  return parts
    .join('')
    .replace(/…(?:[\s,;:x×/|()[\]{}-]{0,3}…)+/g, '…')
    .replace(/…,(?=\s?[)\]}])/g, '…')
    .replace(/(?:^|\s*[:=])[\s([{'"]*…[\s)\]}'".,]*$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** The parts that differ between runs, in the order in which they are removed. */
const varying: readonly RegExp[] = [
  // addresses of servers and of objects
  /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s'"<>)\]]+/gi,
  /<[^<>]{0,200} at 0x[0-9a-f]+>/gi,
  // a quoted name or value; what has spaces is a sentence
  /(?<![\w'’])['"`‘“][^\s'"`’”]{1,200}['"`’”](?!\w)/g,
  // identifiers
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  /\b0x[0-9a-f]+\b/gi,
  /\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,64}\b/gi,
  // paths with a slash in front, and those that end in a file's name
  /(?<![\w.])(?:[A-Za-z]:)?[.~]{0,2}[\\/][^\s'"`,:;()[\]<>]+(?::\d+){0,2}/g,
  /(?<![\w/\\.@-])[\w.@-]+(?:[\\/][\w.@-]+)+\.\w{1,8}(?::\d+){0,2}/g,
  // numbers and times
  /(?:(?<!\w)[+−-])?\d(?:[\d.,_:]*\d)?(?:e[+-]?\d+)?/gi,
]

const replaced = (text: string, pattern: RegExp): string => text.replace(pattern, '…')

const cut = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest).trimEnd()}…`)

/**
 * The line of a program's output that says why it failed: the last one, or the one before the stack that some languages
 * print after the message. `notices`: how the lines begin that assay's own modules print in the program, some of them
 * after it has failed. Safe to print; '' if there is none.
 */
export function tellingLine(output: string, notices: readonly string[]): string {
  const lines = output.split(/\r?\n/).filter(line => line.trim() !== '')
  const isNotice = (line: string): boolean => notices.some(notice => line.startsWith(notice))
  const isTelling = (line: string, at: number): boolean => !isNotice(line) && !isTrace(line, lines[at + 1] ?? '')
  const found = lines.findLast(isTelling) ?? lines.at(-1) ?? ''
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not reach the terminal
  return found.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
}

function isTrace(line: string, next: string): boolean {
  return (
    // JavaScript and Java, and the version that Node prints last
    /^\s+at .*(?::\d+:\d+\)?|<anonymous>\)?|\(native\)|:\d+\)|\(Native Method\))$/.test(line) ||
    /^\s+\.\.\. \d+ (?:more|common frames)|^Node\.js v\d/.test(line) ||
    // Rust and Go
    /^note: run with `RUST_BACKTRACE|^goroutine \d+ \[|^\t\S+\.go:\d+|^exit status \d+$/.test(line) ||
    /^\t\S+\.go:\d+/.test(next)
  )
}
