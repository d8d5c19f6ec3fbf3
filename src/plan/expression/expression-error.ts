import { AssayError } from '../../util/errors.ts'

/** An error that shows the expression with a caret under the place. `at` counts from 0. */
export function expressionError(text: string, at: number, what: string, hint?: string): AssayError {
  const message = `${what}\n  ${text}\n  ${' '.repeat(at)}^`
  return new AssayError('config', message, {
    ...(hint === undefined ? {} : { hint }),
    facts: { expression: text, column: at + 1 },
  })
}
