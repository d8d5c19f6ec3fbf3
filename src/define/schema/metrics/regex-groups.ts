import { messageOf } from '../../../util/errors.ts'

type Groups =
  | { readonly isValid: true; readonly names: readonly string[] }
  | { readonly isValid: false; readonly problem: string }

/** Numbers and names of a regular expression's groups; `0` is the whole match. */
export function groupsOf(pattern: string): Groups {
  try {
    // Compiled alone first: `(a` and `a)` could complete each other below. Then an alternative that always matches
    // makes the engine list the groups.
    new RegExp(pattern, 'm')
    const match = new RegExp(`${pattern}|`, 'm').exec('')
    return { isValid: true, names: [...Object.keys(match ?? []), ...Object.keys(match?.groups ?? {})] }
  } catch (error) {
    return { isValid: false, problem: `not a regular expression: ${messageOf(error)}` }
  }
}
