/** Work in steps of a few milliseconds, so that a page stays responsive in between. */
export type Steps<Result> = Generator<undefined, Result, undefined>

/** All steps at once. */
export function resultOf<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
