import { AssayError, messageOf } from '../../../util/errors.ts'

/** Tries again until the server answers: it may be restarted while an experiment goes on. `failed` hears of every failure. */
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

/** What a server says that has no room for more; null: something else is wrong. */
export function fullness(error: unknown): string | null {
  const message = messageOf(error)
  // Redis: its memory, or the disk that it writes to. Postgres: classes 53100 and 53200.
  const isFull = /^OOM |\bMISCONF\b|no space left|could not extend file|disk full|out of memory/i.test(message)
  return isFull ? (message.split('\n')[0] ?? '').replace(/ script: .*/, '') : null
}
