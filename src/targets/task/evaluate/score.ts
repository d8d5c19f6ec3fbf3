/** One test and how it ended. */
export interface TestResult {
  readonly name: string
  readonly passed: boolean
  /** The rubric that it belongs to; null: none. */
  readonly rubric: string | null
  /** Its output, shortened; null: unknown. */
  readonly output: string | null
}

/** The result of the tests of one step, or of the whole task. */
export interface TestScore {
  /** By name; `reward` is the one that counts. */
  readonly rewards: Readonly<Record<string, number>>
  readonly tests: readonly TestResult[]
}

/** Why there is no score: never a score of 0. `retry`: it had nothing to do with the agent's work, so a retry may help. */
export class Unscored extends Error {
  readonly errorClass: string
  readonly retry: boolean

  constructor(
    errorClass: string,
    message: string,
    options: { readonly retry?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'Unscored'
    this.errorClass = errorClass
    this.retry = options.retry ?? false
  }
}

/** A task is solved from this score on: Harbor's own graders write 1 for a correct solution. */
export const passingScore = 1
