/** The kinds of errors that assay raises, with their exit codes. */
const exitCodes = {
  usage: 2,
  config: 2,
  stale: 2,
  busy: 2,
  not_found: 2,
  unreadable_journal: 2,
  unrecorded_results: 2,
  newer_version: 2,
  older_version: 2,
  cannot_write: 2,
  unsupported_environment: 2,
  hook_failed: 1,
  interrupted: 130,
  internal: 70,
} as const

export type ErrorCode = keyof typeof exitCodes

/** The one error assay throws: a stable code, a sentence for a person, what to do next, and facts as fields. */
export class AssayError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly facts: Readonly<Record<string, unknown>>

  constructor(
    code: ErrorCode,
    message: string,
    more: { hint?: string; cause?: unknown; facts?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'AssayError'
    this.code = code
    this.hint = more.hint
    this.facts = more.facts ?? {}
  }

  get exitCode(): number {
    return exitCodes[this.code]
  }
}

/** A value, or one line on why there is none. */
export type OrReason<T> = { readonly found: T } | { readonly reason: string }

/** An error caused by the data or the question becomes a reason; any other error is a bug of ours and is thrown. */
export function orReason<T>(find: () => T): OrReason<T> {
  try {
    return { found: find() }
  } catch (error) {
    if (error instanceof AssayError) return { reason: error.message }
    throw error
  }
}

/** Unknown errors are converted once, where they enter. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the machine is at fault: it is short of files, space or memory. */
export const isMachineFault = (code: string | null | undefined): boolean =>
  ['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'ENOMEM', 'EIO'].includes(code ?? '')

/** The `code` of a failed system call (`ENOENT`, `ENOSPC`, …), if the error has one. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
