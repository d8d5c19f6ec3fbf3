import { expect, it } from 'vitest'
import { resultTable } from '../../../src/cli/views/result-table.ts'

const rows = ['fifo', 'full'].flatMap(policy =>
  [1, 2, 3].map(seed => ({
    params: { policy, seed, pdfs: 10 },
    metrics: { cost: 1 + seed / 100, makespan: policy === 'full' ? 800 + seed : 1000 + 2 * seed },
  })),
)
const options = {
  blocks: ['seed'],
  columns: 80,
  metrics: [
    { name: 'cost', primary: false },
    { name: 'makespan', primary: true },
  ],
}

it('shows what varies, the primary metric first, with mean and deviation over the blocks', () => {
  expect(resultTable(rows, options).join('\n')).toMatchInlineSnapshot(`
    "policy  n  makespan         cost
    fifo    3  1004 ± 2  1.02 ± 0.01
    full    3   802 ± 1  1.02 ± 0.01
    mean ± standard deviation of n runs"
  `)
})

it('shows a missing value as missing', () => {
  const [first, second] = rows
  const some = [
    { params: { policy: 'a' }, metrics: {} },
    ...(first && second ? [first, { ...second, metrics: {} }] : []),
  ]
  expect(resultTable(some, { ...options, metrics: [] }).join('\n')).toMatchInlineSnapshot(`
    "policy  pdfs  n         cost     makespan
    a          –  1            –            –
    fifo      10  2  1.01 (of 1)  1002 (of 1)"
  `)
})

it('is empty without numbers', () => {
  expect(resultTable([], options)).toEqual([])
})

it('shows only whole columns and a limited number of rows, and reports the rest', () => {
  const many = Array.from({ length: 50 }, (_, x) => ({ params: { x }, metrics: { makespan: x, cost: x, steps: x } }))
  const lines = resultTable(many, { ...options, columns: 20, metrics: [] })
  expect(lines[0]).toBe(' x  n  cost')
  expect(lines.slice(-2)).toEqual([
    'the first 40 of 50 variants: `assay collect` writes every run, `assay report` ranks all variants',
    'and 2 more metrics: `assay collect` writes them all',
  ])
})

it('shows the best of ten thousand variants if the metric has a goal', () => {
  const many = Array.from({ length: 10_000 }, (_, x) => ({
    params: { x, y: `level ${x}` },
    metrics: (x === 7 ? {} : { cost: Math.abs(x - 5000) }) as Record<string, number>,
  }))
  const levels = { x: many.map(({ params }) => params.x), y: many.map(({ params }) => params.y) }
  const metrics = [{ name: 'cost', primary: true, goal: 'minimize' as const }]
  const lines = resultTable(many, { ...options, levels, metrics })
  const shown = lines.slice(1, 41).map(line => line.slice(2).trim().split(/ +/)[0])
  expect(shown.slice(0, 5)).toEqual(['5000', '4999', '5001', '4998', '5002'])
  expect(lines.at(-1)).toBe(
    'the best 40 of 10000 variants by cost: `assay collect` writes every run, `assay report` ranks all variants',
  )
  const worst = resultTable(many.slice(0, 45), { ...options, levels, metrics })
  expect(worst.join()).not.toContain('level 7')
})

it('keeps a factor with results for only one level', () => {
  const lines = resultTable([{ params: { policy: 'good' }, metrics: { cost: 1 } }], {
    ...options,
    levels: { policy: ['good', 'bad'] },
  })
  expect(lines).toEqual(['policy  n  cost', 'good    1     1'])
})

it('sorts unlisted numbers numerically', () => {
  const drawn = [0.11373, 0.4, 0.135018, 0.0394209].map(rate => ({ params: { rate }, metrics: { cost: 1 } }))
  const [, ...lines] = resultTable(drawn, { ...options, metrics: [] })
  expect(lines.map(line => line.trim().split(/ +/)[0])).toEqual(['0.0394209', '0.11373', '0.135018', '0.4'])
})

it('equal numbers have a deviation of 0, despite rounding', () => {
  const equal = [1, 2, 3].map(seed => ({ params: { seed }, metrics: { cost: 1.6 } }))
  expect(resultTable(equal, { ...options, metrics: [] })[1]).toBe('3  1.6 ± 0')
})

it('shows a variant whose runs all failed, and counts failures of others', () => {
  const ended = (policy: string, state: string, cost: number | null) => ({
    params: { policy },
    state,
    metrics: (cost === null ? {} : { cost }) as Record<string, number>,
  })
  const runs = [
    ended('good', 'completed', 1),
    ended('good', 'completed', 2),
    // Values measured before a failure do not count.
    ended('good', 'failed', 99),
    ended('bad', 'timed_out', null),
    ended('bad', 'failed', null),
    ended('bad', 'timed_out', null),
  ]
  const metrics = [{ name: 'cost', primary: true, goal: 'minimize' as const }]
  expect(resultTable(runs, { ...options, metrics }).join('\n')).toMatchInlineSnapshot(`
    "policy    n  cost
    bad     0/3  timed out
    good    2/3  1.50 ± 0.71
    mean ± standard deviation of n runs"
  `)
  const failed = runs.filter(({ params, state }) => params.policy === 'bad' || state === 'failed')
  expect(resultTable(failed, { ...options, metrics }).join('\n')).toMatchInlineSnapshot(`
    "policy    n  cost
    bad     0/3  timed out
    good    0/1  failed"
  `)
})

it('rounds to the spread, in units people use, and marks the best', () => {
  const of = (policy: string, waits: readonly number[], usd: number) =>
    waits.map((wait, seed) => ({
      params: { policy, seed },
      metrics: { wait_ms: wait, bytes: wait * 7919, cost_usd: usd * (1 + seed) },
    }))
  const runs = [
    ...of('fifo', [57_120, 47_030, 67_400], 0.01),
    ...of('full', [17_300, 18_431, 16_204], 0.42),
    ...of('none', [600_000, 1_200_000, 900_000], 120),
  ]
  const metrics = [
    { name: 'wait_ms', primary: true, goal: 'minimize' as const },
    { name: 'bytes', primary: false },
    { name: 'cost_usd', primary: false },
  ]
  expect(resultTable(runs, { ...options, metrics }).join('\n')).toMatchInlineSnapshot(`
    "  policy  n       wait_ms                     bytes      cost_usd
      fifo    3     57 ± 10 s  453,000,000 ± 81,000,000  $0.02 ± 0.01
    * full    3  17.3 ± 1.1 s   137,100,000 ± 8,800,000  $0.84 ± 0.42
      none    3    15 ± 5 min         7.127e+9 ± 2.4e+9    $240 ± 120
    mean ± standard deviation of n runs; * best wait_ms"
  `)
})

it('lists the best of a search first, with readable digits of drawn values', () => {
  const drawn = [0.000115018, 0.4234234, 0.03942094].map((rate, at) => ({
    params: { rate },
    metrics: { loss: [3, 1, 2][at] ?? 0 },
  }))
  const metrics = [{ name: 'loss', primary: true, goal: 'minimize' as const }]
  expect(resultTable(drawn, { ...options, metrics, isRanked: true }).join('\n')).toMatchInlineSnapshot(`
    "      rate  n  loss
    *   0.4234  1     1
       0.03942  1     2
      0.000115  1     3
    * best loss"
  `)
})

it('marks no best variant if all are equal or the metric has no goal', () => {
  const equal = ['a', 'b'].map(policy => ({ params: { policy }, metrics: { cost: 1 } }))
  const marks = (goal: 'minimize' | null, cost: number) =>
    resultTable([...equal, { params: { policy: 'c' }, metrics: { cost } }], {
      ...options,
      metrics: [{ name: 'cost', primary: true, goal }],
    }).filter(line => line.startsWith('*') && !line.includes('best'))
  expect(marks('minimize', 1)).toEqual([])
  expect(marks(null, 2)).toEqual([])
  expect(marks('minimize', 2)).toHaveLength(2)
})

it('shows yes or no as a share, but not a number that happens to be 0 or 1', () => {
  const rows = [1, 0, 1, 1].map((passed, at) => ({
    params: { model: at < 2 ? 'a' : 'b' },
    metrics: { passed, calls: at % 2 },
  }))
  const metrics = [
    { name: 'passed', primary: true, goal: 'maximize' as const },
    { name: 'calls', primary: false },
  ]
  const lines = resultTable(rows, { blocks: [], metrics, columns: 80 })
  expect(lines[1]).toMatch(/^ {2}a +2 +50% +0\.50 ± 0\.71$/)
  expect(lines[2]).toMatch(/^\* b +2 +100% +0\.50 ± 0\.71$/)
})

it('tells levels apart that are long and begin alike', () => {
  const promised = ['residents a noise wall', 'shipping line low dues'].map(what => ({
    append: `They promised the ${what}`,
  }))
  const rows = promised.flatMap(state => [1, 2].map(seed => ({ params: { state, seed }, metrics: { trust: seed } })))
  const [, first = '', second = ''] = resultTable(rows, { ...options, columns: 44, metrics: [] })
  expect(first).toContain('…residents a noise wall')
  expect(second).toContain('…shipping line low dues')
})

it('has no column for a pattern of metrics where nothing completed', () => {
  const failed = [
    { params: { x: 1 }, metrics: {}, state: 'failed' },
    { params: { x: 2 }, metrics: {}, state: 'failed' },
  ]
  const metrics = [
    { name: 'loss', primary: true },
    { name: '*', primary: false },
  ]
  expect(resultTable(failed, { ...options, metrics })[0]).toBe('x    n  loss')
})

it('shortens levels that are lists as a whole', () => {
  const list = (last: string) => ({ params: { flags: ['--a-flag-with-a-long-name', last] }, metrics: { cost: 1 } })
  const [, one, two] = resultTable([list('one'), list('two')], { ...options, metrics: [] })
  expect([one, two].map(line => line?.split(' ')[0])).toEqual(['…one…', '…two…'])
})
