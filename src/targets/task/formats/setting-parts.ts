import { isAbsolute, normalize } from 'node:path'
import * as z from 'zod'

/** Building blocks for the schemas of several formats. */

/** A time limit. NaN and infinity are refused where files are read. */
export const seconds = z
  .number({ error: 'expected seconds: a number above 0' })
  .gt(0, { error: 'expected seconds: a number above 0' })

export const secondsFrom0 = z
  .number({ error: 'expected seconds: 0 or more' })
  .min(0, { error: 'expected seconds: 0 or more' })

export const amountAbove0 = z.number().gt(0, { error: 'expected a number above 0' })

export const countFrom0 = z.int({ error: 'expected a whole number, 0 or more' }).min(0, {
  error: 'expected a whole number, 0 or more',
})

export const textThere = z.string().refine(text => text.trim() !== '', { error: 'expected text that is not empty' })

/** Numbers and booleans are text in an environment. */
export const environment = z.lazy(() =>
  z.record(
    z.string().regex(/^[A-Za-z_]\w*$/, { error: 'expected the name of a variable: letters, digits and "_"' }),
    z.union([z.string(), z.number(), z.boolean()], { error: 'expected text' }).transform(String),
  ),
)

/** A path that stays below its folder. */
export const pathBelow = textThere.refine(staysBelow, {
  error: 'expected a relative path that stays inside, without ".." and ".git"',
})

export const pathInBox = textThere.refine(
  path => isAbsolute(path) && !path.split('/').includes('..') && !hasNul(path),
  {
    error: 'expected an absolute path inside the environment, without ".."',
  },
)

/** A user's name, or number. */
export const boxUser = z.lazy(() =>
  z.union([textThere, countFrom0], { error: 'expected the name or number of a user' }).transform(String),
)

/** Git executes files in .git: no task may put anything there. */
export function staysBelow(path: string): boolean {
  if (isAbsolute(path) || hasNul(path) || path.includes('\\')) return false
  const parts = normalize(path).split('/')
  return !parts.some(part => ['..', '.git'].includes(part.toLowerCase())) && normalize(path) !== '.'
}

const hasNul = (path: string): boolean => path.includes('\0')
