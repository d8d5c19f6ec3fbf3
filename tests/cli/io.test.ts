import { expect, it } from 'vitest'
import { wantsColour } from '../../src/cli/io.ts'

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ NO_COLOR: '' }, true, true],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
  [{ TERM: 'dumb' }, true, false],
])('colour with %j on a terminal (%s): %s', (env, isTTY, expected) => {
  expect(wantsColour(env, isTTY)).toBe(expected)
})
