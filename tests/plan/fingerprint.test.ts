import { expect, test } from 'vitest'
import { explainChange, fingerprintOf } from '../../src/plan/identity.ts'
import { experimentWith } from './experiment.ts'

const experiment = experimentWith({})
const before = fingerprintOf(
  experiment,
  { command: ['sim', '--depth', '3'], env: { A: '1' } },
  { 'data/train.csv': 'aa' },
)

test('equal parts have equal hashes, whatever order they are in', () => {
  const same = fingerprintOf(
    experiment,
    { env: { A: '1' }, command: ['sim', '--depth', '3'] },
    { 'data/train.csv': 'aa' },
  )
  expect(same.hash).toBe(before.hash)
  expect(explainChange(before.parts, same.parts)).toBe('nothing changed')
})

test.each([
  [{ command: ['sim', '--depth', '4'], env: { A: '1' } }, { 'data/train.csv': 'aa' }, 'target.command[2]: 3 → 4'],
  [
    { command: ['sim'], env: { A: '1' } },
    { 'data/train.csv': 'aa' },
    'target.command[1..2] removed (was ["--depth","3"])',
  ],
  [
    { command: ['sim', '--depth', '3', '--new'], env: { A: '1' } },
    { 'data/train.csv': 'aa' },
    'target.command[3] added: --new',
  ],
  [
    { command: ['sim', '--seed', '1', '--depth', '3'], env: { A: '1' } },
    { 'data/train.csv': 'aa' },
    'target.command[1..2] added: ["--seed","1"]',
  ],
  [{ command: ['sim', '3'], env: { A: '1' } }, { 'data/train.csv': 'aa' }, 'target.command[1] removed (was --depth)'],
  [
    { command: ['sim', '--width', '3', '4'], env: { A: '1' } },
    { 'data/train.csv': 'aa' },
    'target.command[1..3]: ["--depth","3"] → ["--width","3","4"]',
  ],
  [{ command: ['sim', '--depth', '3'], env: {} }, { 'data/train.csv': 'aa' }, 'target.env.A removed (was 1)'],
  [{ command: ['sim', '--depth', '3'], env: { A: '1' } }, { 'data/train.csv': 'bb' }, 'input data/train.csv changed'],
  [
    { command: ['sim', '--depth', '3'], env: { A: '1' } },
    { 'b.csv': 'bb' },
    'input data/train.csv removed; input b.csv added',
  ],
])('a change to %j %j is explained', (identity, inputs, explanation) => {
  const after = fingerprintOf(experiment, identity, inputs)
  expect(after.hash).not.toBe(before.hash)
  expect(explainChange(before.parts, after.parts)).toBe(explanation)
})

test('many changes are counted', () => {
  const after = fingerprintOf(experiment, { command: ['a', 'b', 'c'], env: { A: '2', B: '3' } }, {})
  expect(explainChange(before.parts, after.parts)).toMatchInlineSnapshot(
    `"target.command[0]: sim → a; target.command[1]: --depth → b; target.command[2]: 3 → c; and 3 more"`,
  )
})

test('long texts with the same beginning are shown where they differ', () => {
  const script = (end: string) => ({ target: { command: ['sh', '-c', `${'echo much; '.repeat(20)}${end}`] } })
  expect(explainChange(script('exit 1'), script('exit 2'))).toMatchInlineSnapshot(
    `"target.command[2]: …ch; echo much; exit 1 → …ch; echo much; exit 2"`,
  )
  const words = (...end: string[]) => ({ target: { command: [...Array(9).fill('a-long-word'), ...end] } })
  expect(explainChange(words(), words('--new'))).toBe('target.command[9] added: --new')
})
