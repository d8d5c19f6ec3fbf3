import { expect, it } from 'vitest'
import { TerminalRegion } from '../../../../src/cli/views/live/terminal-region.ts'
import type { Clock } from '../../../../src/util/time.ts'
import { fakeOutput } from '../../fake-io.ts'

/** A clock that stands still until advanced. */
function handClock() {
  let now = 0
  const timers = new Map<() => void, number>()
  const clock: Clock = {
    now: () => now,
    elapsed: () => now,
    after(ms, callback) {
      timers.set(callback, now + ms)
      return () => timers.delete(callback)
    },
  }
  const advance = (ms: number) => {
    const end = now + ms
    const nextDue = () => [...timers].filter(([, at]) => at <= end).sort(([, a], [, b]) => a - b)[0]
    for (let next = nextDue(); next !== undefined; next = nextDue()) {
      const [callback, at] = next
      timers.delete(callback)
      now = at
      callback()
    }
    now = end
  }
  return { clock, advance, timers }
}

function open(render: () => string[]) {
  const output = fakeOutput(true)
  const { clock, advance, timers } = handClock()
  const region = new TerminalRegion(output, clock, render)
  let seen = 0
  const news = () => {
    const text = output.text().slice(seen)
    seen = output.text().length
    return text
  }
  return { region, advance, timers, news }
}

it('draws in place, and restores the cursor', () => {
  let count = 1
  const { region, advance, timers, news } = open(() => [`count ${count}`, 'end'])
  expect(news()).toBe('\x1b[?25lcount 1\x1b[K\nend\x1b[K\n')
  count = 2
  region.changed()
  advance(100)
  expect(news()).toBe('\r\x1b[2A\x1b[Jcount 2\x1b[K\nend\x1b[K\n')
  region.close({ keep: false })
  region.close({ keep: false })
  expect(news()).toBe('\r\x1b[2A\x1b[J\x1b[?25h')
  expect(timers.size).toBe(0)
})

it('redraws at most ten times a second, and once if nothing changes', () => {
  let draws = 0
  const { region, advance } = open(() => [String(++draws)])
  for (let ms = 0; ms < 1000; ms += 10) {
    region.changed()
    advance(10)
  }
  expect(draws).toBeLessThanOrEqual(11)
  const before = draws
  advance(5000)
  expect(draws - before).toBeGreaterThanOrEqual(4)
  expect(draws - before).toBeLessThanOrEqual(6)
})

it('prints permanent lines above itself', () => {
  const { region, news } = open(() => ['bar'])
  news()
  region.print(['done a', 'done b'])
  expect(news()).toBe('\r\x1b[1A\x1b[Jdone a\x1b[K\ndone b\x1b[K\nbar\x1b[K\n')
})
