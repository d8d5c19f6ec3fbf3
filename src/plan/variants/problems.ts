import { AssayError } from '../../util/errors.ts'

/** Where in the configuration. */
export type Path = readonly (string | number)[]

/** What happens to a problem with the configuration: it is thrown, or collected with the others. */
export type Report = (error: unknown) => void

export const throwIt: Report = error => {
  throw error
}

/** Does something for a place in the configuration: an error on the way carries the place with it. */
export function attempt<T>(path: Path, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (!(error instanceof AssayError) || error.facts.path !== undefined) throw error
    throw problemAt(path, error.message, error.hint, error.facts)
  }
}

export function problemAt(path: Path, message: string, hint?: string, facts: AssayError['facts'] = {}): AssayError {
  return new AssayError('config', message, { ...(hint === undefined ? {} : { hint }), facts: { ...facts, path } })
}
