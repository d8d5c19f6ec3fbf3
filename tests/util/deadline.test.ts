import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { deadline, deadlineSignal } from '../../src/util/system-clock.ts'
import { SetClock } from '../support/set-clock.ts'

describe('deadline', () => {
  const begin = (ms: number, now?: number) => {
    const clock = new SetClock(now)
    const told = { over: false }
    const forget = deadline(
      ms,
      () => {
        told.over = true
      },
      clock,
    )
    return { clock, told, forget }
  }

  it('fires once its time is over, after pending events', async () => {
    const { clock, told } = begin(10_000)
    clock.pass(9_999)
    await turn()
    expect(told.over).toBe(false)
    clock.pass(1)
    expect(told.over).toBe(false)
    await turn()
    expect(told.over).toBe(true)
  })

  it('gives a stopped process time to read pending events, and then fires', async () => {
    const { clock, told } = begin(10_000)
    clock.standStill(65_000)
    await turn()
    expect(told.over).toBe(false)
    clock.pass(2_000)
    await turn()
    expect(told.over).toBe(true)
  })

  it('does not fire at once for a process that was stopped just before the end', async () => {
    const { clock, told } = begin(10_000)
    clock.pass(5_000)
    clock.standStill(4_900)
    clock.pass(100)
    await turn()
    expect(told.over).toBe(false)
    clock.standStill(3_000)
    clock.pass(1_999)
    await turn()
    expect(told.over).toBe(false)
    clock.pass(1)
    await turn()
    expect(told.over).toBe(true)
  })

  it('fires eventually in a process that is never awake for long', async () => {
    const { clock, told } = begin(10_000)
    for (let times = 0; times < 12; times++) clock.standStill(10_000)
    await turn()
    expect(told.over).toBe(true)
  })

  it('does not fire after cancellation, not even at the last moment', async () => {
    const { clock, told, forget } = begin(10_000)
    clock.pass(10_000)
    forget()
    await turn()
    expect(told.over).toBe(false)
  })

  it('fires with fractional times', async () => {
    for (let thousandths = 1; thousandths < 1_000; thousandths++) {
      const { clock, told } = begin(1_000 + thousandths / 1_000, 1_700_000_000_000 + thousandths / 7)
      clock.pass(1_001)
      await turn()
      expect([thousandths, told.over]).toEqual([thousandths, true])
    }
  })

  it('may be months away', async () => {
    const { clock, told } = begin(100 * 86_400_000)
    clock.pass(99 * 86_400_000)
    await turn()
    expect(told.over).toBe(false)
    clock.pass(86_400_000)
    await turn()
    expect(told.over).toBe(true)
  })

  it('as a signal is aborted by real time', async () => {
    const signal = deadlineSignal(1)
    await expect.poll(() => signal.aborted).toBe(true)
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  })
})
