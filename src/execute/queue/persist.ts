import { AssayError } from '../../util/errors.ts'

/** Tries again until the server answers: it may be restarted while an experiment goes on. */
export async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof AssayError) throw error
      await new Promise(resolve => setTimeout(resolve, Math.min(2_000, 100 * 2 ** tries)))
    }
  }
}
