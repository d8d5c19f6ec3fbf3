import { setTimeout as sleep } from 'node:timers/promises'
import { isBusy } from './journal.ts'

/** Does what has to be written once no other program holds the journal; after too long the error is thrown after all. */
export async function whenFree<T>(work: () => T, giveUpMs = 60_000): Promise<T> {
  const until = performance.now() + giveUpMs
  for (;;)
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      await sleep(againMs)
    }
}

const againMs = 200
