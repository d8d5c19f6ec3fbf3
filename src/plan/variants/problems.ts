import { AssayError } from '../../util/errors.ts'

/** A place in the configuration. */
export type Path = readonly (string | number)[]

/** Receives a problem with the configuration: throws it, or collects it. */
export type Report = (error: unknown) => void

export const throwError: Report = error => {
  throw error
}

/** Does something for a place in the configuration: an error in it carries the place. */
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
