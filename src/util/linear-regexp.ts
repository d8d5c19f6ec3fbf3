import { setFlagsFromString } from 'node:v8'

// V8 matches by backtracking, which takes exponential time for patterns such as (a+)+$. With this flag, it switches to
// a linear-time engine after too many backtracks. That engine has no look-around and no back-references: patterns with
// these are as slow as ever, so callers that read untrusted text limit the time too.
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks')

/** A user's regular expression, safe to match against any text. */
export const linearRegExp = (pattern: string, flags = ''): RegExp => new RegExp(pattern, flags)

/** Whether a text is a regular expression at all. */
export function isRegExp(text: string): boolean {
  try {
    linearRegExp(text)
    return true
  } catch {
    return false
  }
}
