/** One test and how it ended. */
export interface TestResult {
  readonly name: string
  readonly passed: boolean
  /** The rubric that it belongs to; null: none. */
  readonly rubric: string | null
  /** What it said, cut; null: nothing is known. */
  readonly output: string | null
}

/** What the tests of one step, or of the whole task, come to. */
export interface TestScore {
  /** By name; `reward` is the one that counts. */
  readonly rewards: Readonly<Record<string, number>>
  readonly tests: readonly TestResult[]
}

/** Why there is no score: never a score of 0. `retry`: it had nothing to do with the agent's work, so trying again may help. */
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

/** A task is solved from here on: Harbor's own graders write 1 for a solution that holds. */
export const passingScore = 1
