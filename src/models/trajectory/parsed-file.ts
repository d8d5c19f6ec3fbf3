import type * as z from 'zod'

/** Why a file is not taken as a trajectory. */
export class UnreadableTrajectory extends Error {
  override readonly name = 'UnreadableTrajectory'
}

/** Data that a schema has checked; the first problem is named with its place. */
export function parsedFile<T>(schema: z.ZodType<T>, data: unknown, below = ''): T {
  const { data: parsed, error } = schema.safeParse(data)
  if (error === undefined) return parsed
  const issue = deepest(error.issues[0])
  const place = [below, ...(issue?.path ?? []).map(String)].filter(part => part !== '').join('.')
  throw new UnreadableTrajectory(
    `${place === '' ? 'the file' : place}: ${lowerFirst(issue?.message ?? 'can’t be read')}`,
  )
}

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly errors?: readonly (readonly Issue[])[] | undefined
}

/** The alternative of a union that matched furthest says most. */
function deepest(issue: z.core.$ZodIssue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue
  const nested = issue.errors.map(([first]) => deepest(first)).filter(one => one !== undefined)
  const [best] = nested.toSorted((a, b) => b.path.length - a.path.length)
  if (best === undefined || best.path.length === 0) return issue
  return { ...best, path: [...issue.path, ...best.path] }
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1)
