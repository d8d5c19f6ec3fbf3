import type * as z from 'zod'

type Issue = z.core.$ZodIssue

/** The first problem; if a part may have several forms, the problem of the form that was meant. */
export function firstIssue({ issues }: z.ZodError): Issue | undefined {
  const [issue] = issues
  return issue === undefined ? undefined : meant(issue)
}

function meant(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const inner = issue.errors.flatMap(([first]) => (first === undefined ? [] : [meant(first)]))
  // A form that already fails at its outermost type was not meant.
  const closest = inner.find(({ code, path }) => code !== 'invalid_type' || path.length > 0)
  return closest === undefined ? issue : ({ ...closest, path: [...issue.path, ...closest.path] } as Issue)
}
