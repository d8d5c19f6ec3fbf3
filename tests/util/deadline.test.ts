import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { deadline, deadlineSignal } from '../../src/util/system-clock.ts'
import { SetClock } from '../support/set-clock.ts'

describe('deadline', () => {
  const begin = (ms: number) => {
    const clock = new SetClock()
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

  it('is told once its time is over, after what has come by then', async () => {
    const { clock, told } = begin(10_000)
    clock.pass(9_999)
    await turn()
    expect(told.over).toBe(false)
    clock.pass(1)
    expect(told.over).toBe(false)
    await turn()
    expect(told.over).toBe(true)
  })

  it('gives a process that stood still time to read what has come, and then counts', async () => {
    const { clock, told } = begin(10_000)
    clock.standStill(65_000)
    await turn()
    expect(told.over).toBe(false)
    clock.pass(2_000)
    await turn()
    expect(told.over).toBe(true)
  })

  it('is not told when it is forgotten, not even in the last moment', async () => {
    const { clock, told, forget } = begin(10_000)
    clock.pass(10_000)
    forget()
    await turn()
    expect(told.over).toBe(false)
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
