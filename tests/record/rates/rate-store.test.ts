import { describe, expect, it } from 'vitest'
import { RateDesk, type RateWindow } from '../../../src/engine/permits/rate-desk.ts'
import { journalRates, memoryRates, type RateStore, unusedRate } from '../../../src/record/rates/rate-store.ts'
import { removeWorker } from '../../../src/record/runs/workers.ts'
import { openJournal } from '../support.ts'

/** Two workers that share their rates, and a function that removes the second. */
interface Shared {
  readonly stores: readonly [RateStore, RateStore]
  readonly workers: readonly [string, string]
  leave(): void
}

const a = { provider: 'sim', key: 'k1' }
const b = { provider: 'sim', key: 'k2' }

/** The contract of every rate store. */
function rateStoreContract(name: string, open: () => Shared): void {
  describe(`rates kept in ${name}`, () => {
    it('are read by others as written, by provider and key', () => {
      const [one, other] = open().stores
      const state = { ...unusedRate, at: 7, ceiling: 2.5, seconds: [{ at: 0, requests: 1, tokens: 9 }] }
      expect(other.read(a)).toBe(null)
      one.write(a, { ...state, at: 6 })
      one.write(a, state)
      expect(other.read(a)).toEqual(state)
      expect(other.read(b)).toBe(null)
      one.write(b, unusedRate)
      expect(other.all()).toEqual([
        { ...a, state },
        { ...b, state: unusedRate },
      ])
    })

    it('are empty before the first write, and other processes notice a write', () => {
      const [one, other] = open().stores
      expect(other.all()).toEqual([])
      const before = other.version()
      expect(other.version()).toBe(before)
      one.write(a, unusedRate)
      expect(other.version()).not.toBe(before)
    })

    it('apply to all workers together, without those that have left', () => {
      const shared = open()
      const [first, second] = shared.stores.map(
        (store, index) => new RateDesk({ boot: 'b', store, worker: shared.workers[index] ?? '', random: () => 0.5 }),
      )
      const limits = { sim: { rpm: null, tpm: null, concurrency: 2 } }
      const send = (desk: RateDesk | undefined) => {
        desk?.follow(limits)
        return inWindow(desk, window => {
          const answer = window.ask(a, 10)
          if (answer.kind === 'go') answer.take()
          return answer.kind
        })
      }
      expect([send(first), send(second), send(first), send(second)]).toEqual(['go', 'go', 'wait', 'wait'])
      shared.leave()
      expect([send(first), send(first)]).toEqual(['go', 'wait'])
    })

    it("are cut for all by one worker's complaint", () => {
      const shared = open()
      const [first, second] = shared.stores.map(
        (store, index) => new RateDesk({ boot: 'b', store, worker: shared.workers[index] ?? '', random: () => 0.5 }),
      )
      for (const desk of [first, second]) desk?.follow({})
      inWindow(first, window => {
        const answer = window.ask(a, 1)
        if (answer.kind === 'go') answer.take()
      })
      first?.end(a, { sentAt: 1000, counted: 1, tokens: 1, complaint: { retry_after_ms: 5000 } })
      inWindow(first, () => undefined)
      second?.follow({})
      expect(inWindow(second, window => window.ask(a, 1).kind)).toBe('wait')
      expect(inWindow(second, window => window.ask(b, 1).kind, b)).toBe('go')
    })
  })
}

function inWindow<T>(desk: RateDesk | undefined, work: (window: RateWindow) => T, key = a): T | undefined {
  let result: T | undefined
  const keep = (window: RateWindow) => {
    result = work(window)
  }
  desk?.open(2000, [key], keep, () => undefined)
  return result
}

rateStoreContract('the journal', () => {
  const { journal, workerId } = openJournal()
  const again = openJournal(journal.file)
  return {
    stores: [journalRates(journal), journalRates(again.journal)],
    workers: [String(workerId), String(again.workerId)],
    leave: () => removeWorker(journal, again.workerId, { now: 5, elapsed: 5 }),
  }
})

rateStoreContract('memory', () => {
  const workers = new Set(['1', '2'])
  const store = memoryRates(workers)
  return { stores: [store, store], workers: ['1', '2'], leave: () => void workers.delete('2') }
})
