import { expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../../../support/assay.ts'

const small = [
  'stats',
  'calibrate',
  '--trials',
  '40',
  '--sizes',
  '5',
  '--data',
  'yes or no at 0.5, two',
  '--resamples',
  '99',
]

it('prints Markdown reproducible from its seed', async () => {
  const cwd = folderWith()
  const first = await assay([...small, '--seed', '3'], { cwd })
  expect(first.status).toBe(0)
  expect(first.stdout).toContain('40 simulated experiments')
  expect(first.stdout).toContain('### Yes or no at 0.5, two groups')
  expect(first.stdout).toMatch(/^\| default is \| score \|$/m)
  expect((await assay([...small, '--seed', '3'], { cwd })).stdout).toBe(first.stdout)
  expect((await assay([...small, '--seed', '4'], { cwd })).stdout).not.toBe(first.stdout)
})

it('prints every number and its error as JSON', async () => {
  const { stdout } = await assay([...small, '--json'], { cwd: folderWith() })
  const { kind, seed, trials, cells, proportions } = JSON.parse(stdout)
  expect({ kind, seed, trials }).toEqual({ kind: 'calibration', seed: 1, trials: 40 })
  expect(cells.map(({ procedure }: { procedure: string }) => procedure)).toEqual([
    'default',
    'score',
    'newcombe',
    't',
    'studentized',
    'percentile',
    'basic',
    'bca',
    'permutation',
    'Fisher exact',
    'z test of proportions',
  ])
  expect(cells[0]).toMatchObject({ n: 5, coverage: { share: expect.any(Number), error: expect.any(Number) } })
  expect(proportions).toHaveLength(12)
})

it.each([
  [['stats']],
  [['stats', 'compare']],
  [['stats', 'calibrate', '--data', 'cauchy']],
  [['stats', 'calibrate', '--trials', '0']],
  [['stats', 'calibrate', '--seed', 'x']],
])('refuses %j', async args => {
  const cwd = folderWith()
  const ended = await assay(args, { cwd })
  expect(ended.status).toBe(2)
  expect(complaint(ended, { cwd })).toMatchSnapshot()
})
