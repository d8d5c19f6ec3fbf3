import { AssayError } from '../util/errors.ts'
import { didYouMean } from '../util/suggest.ts'

/**
 * Without type checks, a misspelt option would be silently ignored: `filter` instead of `filters` would run the whole
 * plan.
 */
export function refuseUnknown<T extends object>(
  where: string,
  given: T,
  known: { readonly [Name in keyof T]-?: true },
): void {
  const names = Object.keys(known)
  const problems = Object.keys(given)
    .filter(name => !names.includes(name))
    .map(name => `${where}: unknown option "${name}"; ${didYouMean(name, names) ?? `known: ${names.join(', ')}`}`)
  if (problems.length > 0) throw new AssayError('usage', problems.join('\n'))
}
