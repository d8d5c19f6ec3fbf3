import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { calibrate, gateErrors, marginErrors, otherDesignErrors } from '../../src/analyze/calibrate/calibrate.ts'
import { calibrationLegend, calibrationPage } from '../../src/cli/analysis/calibration-view.ts'

const page = readFileSync(new URL('../../docs/calibration.md', import.meta.url), 'utf8')
const line = /^node bin\/assay\.mjs stats calibrate (.*?) > /m.exec(page)?.[1] ?? ''
const numberAfter = (flag: string): number => Number(new RegExp(`--${flag} (\\d+)`).exec(line)?.[1])
const sizes = (/--sizes ([\d,]+)/.exec(line)?.[1] ?? '').split(',').map(Number)
const options = { seed: numberAfter('seed'), trials: numberAfter('trials'), resamples: 499, alpha: 0.05, sizes }

/** The cells of one kind of data and size, row by row. */
function columnOf(text: string, heading: string, n: number): readonly string[] {
  const section = text.split('\n### ').find(part => part.startsWith(heading)) ?? ''
  const rows = section.split('\n').filter(row => row.startsWith('|'))
  const at = (rows[0] ?? '').split('|').findIndex(cell => cell.trim() === `n = ${n}`)
  return rows.map(row => (row.split('|')[at] ?? '').trim())
}

it('has the legend of its tables', () => {
  expect(page).toContain(calibrationLegend(options))
})

it('states the errors of the wider interval as in its tables', () => {
  const parts = page.split('\n### ').slice(1)
  const found = parts.flatMap(part => {
    const [chosen = [], own = []] = ['default is', 'default'].map(name =>
      (part.split('\n').find(text => text.startsWith(`| ${name} |`)) ?? '').split('|').slice(2, -1),
    )
    const cells = own.filter((_, at) => chosen[at]?.trim() === 'wider' && !part.startsWith('Skewed differences'))
    return cells.map(cell => cell.split('·').map(text => Number(text.replaceAll(/[*() ]/g, ''))))
  })
  expect(found.length).toBeGreaterThan(30)
  expect(Math.max(...found.map(([, typeI = 100]) => typeI))).toBeLessThanOrEqual(6)
  expect(Math.min(...found.map(([coverage = 0]) => coverage))).toBeGreaterThanOrEqual(90)
})

it.each([
  ['normal, paired', 5],
  ['tasks × rollouts, paired', 3],
  ['yes or no at 0.95, paired', 5],
] as const)('has the numbers for %s, n = %i that its command prints (if not, run that command again)', (name, n) => {
  const asked = { ...options, sizes: [n], data: [name] }
  const made = calibrationPage({
    options: asked,
    cells: [...calibrate(asked)].flat(),
    proportions: [],
    margins: [],
    designs: [],
  })
  const heading = name.charAt(0).toUpperCase() + name.slice(1)
  expect(columnOf(page, heading, n)).toEqual(columnOf(`\n${made}`, heading, n))
})

it('has the exact errors at a margin', () => {
  const [made = ''] = calibrationPage({
    options: { ...options, data: [] },
    cells: [],
    proportions: [],
    designs: [],
    margins: marginErrors(),
  }).split('\n\n### ')
  expect(page).toContain(made.trim())
})

it('has the errors of gates on numbers that its command prints (if not, run that command again)', () => {
  const asked = /--data gates .*--trials (\d+) --resamples (\d+)/.exec(page)
  const options = { seed: 1, trials: Number(asked?.[1]), resamples: Number(asked?.[2]) }
  const gates = [...gateErrors(options, [5], data => data === 'normal, paired')]
  const made = calibrationPage({ ...nothing, gates })
  expect(columnOf(page, 'Gates on numbers', 5)).toContain(columnOf(`\n${made}`, 'Gates on numbers', 5)[2])
})

it('has the errors of designs with the same seeds that its command prints (if not, run that command again)', () => {
  const asked = /--data 'other designs' .*--trials (\d+) --resamples (\d+)/.exec(page)
  const options = { seed: 1, trials: Number(asked?.[1]), resamples: Number(asked?.[2]) }
  const otherDesigns = otherDesignErrors(options, [[3, 20]], design => design === 'two groups')
  const made = calibrationPage({ ...nothing, otherDesigns })
  const rows = made.split('\n').filter(row => row.startsWith('| two groups |'))
  expect(rows).toHaveLength(2)
  for (const row of rows) expect(page).toContain(`\n${row.slice(0, -1)}`)
})

const nothing = { options: { ...options, data: [] }, cells: [], proportions: [], designs: [], margins: [] }
