import { AssayError, messageOf } from '../../../util/errors.ts'

/** Retries until the server answers: it may be restarted during an experiment. `failed` gets every error. */
export async function persist<T>(work: () => Promise<T>, failed?: (error: unknown) => void): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof AssayError) throw error
      failed?.(error)
      await new Promise(resolve => setTimeout(resolve, Math.min(2_000, 100 * 2 ** tries)))
    }
  }
}

/** The server's message when it is full; null: another error. */
export function fullness(error: unknown): string | null {
  const message = messageOf(error)
  // Redis: its memory, or the disk it writes to. Postgres: classes 53100 and 53200.
  const isFull = /^OOM |\bMISCONF\b|no space left|could not extend file|disk full|out of memory/i.test(message)
  return isFull ? (message.split('\n')[0] ?? '').replace(/ script: .*/, '') : null
}
