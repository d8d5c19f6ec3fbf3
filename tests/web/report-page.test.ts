import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { browserProgram } from '../../bench/browser.ts'
import { parseCsv } from '../../src/util/csv.ts'
import { assay, folderWith } from '../support/assay.ts'
import { pagesOfOneBrowser, textOf, toSection, type Watched, widthOf } from '../support/browser.ts'

const reason = (await browserProgram()) === null ? 'there is no Chromium here, neither Debian’s nor npm’s' : null

const files = {
  'work.mjs': `export default ({ policy, load }, { seed, report }) => {
  for (let step = 1; step <= 20; step++) report('reward', step * load + Math.sin(seed * step), step)
  report('cost_usd', policy === 'dear' ? 0.02 : 0.01)
  if (seed === 4 && policy === 'dear') throw new RangeError('too <b>large</b>')
  const shift = { plain: 0, quick: 3, dear: -1 }[policy] ?? 1
  const noise = Math.sin(seed * policy.charCodeAt(0) + load)
  return { score: seed + shift * load + 0.2 * noise, wait_ms: 100 * load + 5 * shift + seed + noise }
}
`,
  'e.yaml': `name: e
description: "<img src=x onerror=alert(3)>"
target: { kind: function, module: work.mjs }
factors: { policy: [plain, quick, dear, "<script>alert(1)</script>"], load: [1, 2] }
seeds: 1..8
metrics: { score: { goal: maximize, primary: true } }
`,
}

const openPage = pagesOfOneBrowser()
let made: Promise<{ readonly cwd: string; readonly address: string }> | undefined

/** Made once: nothing here changes it. */
function report() {
  made ??= makeReport()
  return made
}

async function makeReport() {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-report-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  await assay(['run', 'e.yaml', '-q'], { cwd })
  await assay(['report', 'results/e'], { cwd })
  return { cwd, address: pathToFileURL(join(cwd, 'results/e/report/index.html')).href }
}

afterAll(async () => {
  if (made !== undefined) rmSync((await made).cwd, { recursive: true, force: true })
})

async function opened(hash = ''): Promise<Watched & { readonly cwd: string }> {
  const { cwd, address } = await report()
  const watched = await openPage(`${address}${hash}`)
  await watched.page.waitForSelector('.bar')
  return { ...watched, cwd }
}

/** Browsers and Node round exponentials and logarithms a little differently: the last digit may be another. */
function expectNumbers(csv: string, names: readonly string[], numbers: readonly number[]): void {
  const row = parseCsv(csv).find(cells => names.every((name, at) => cells[at] === name))
  expect(row?.slice(names.length, names.length + numbers.length).map(Number)).toEqual(
    numbers.map(number => expect.closeTo(number, 11 - Math.ceil(Math.log10(Math.abs(number) + 1)))),
  )
}

const headlineSays = (page: Page, text: string) => page.locator('.headline', { hasText: text }).waitFor()

describe.skipIf(reason !== null)(`the report in a browser${reason === null ? '' : `: ${reason}`}`, () => {
  it('opens from disk with every section, without errors or requests', async () => {
    const { page, complaints, asked } = await opened()
    await textOf(page.locator('.headline')).toMatch(/^quick is better on score than plain by .*paired on 8 seeds\.$/)
    const ids = ['variants', 'cost', 'effects', 'distributions', 'curves', 'failures', 'runs', 'provenance']
    for (const id of ids) await toSection(page, id)
    await page.locator('.waiting').first().waitFor({ state: 'detached' })
    const titles = page.locator('h1, h2')
    await expect
      .poll(() => titles.allTextContents())
      .toEqual([
        'e',
        'Variants compared',
        'Cost against score',
        'Effects of factors and ablations',
        'Distributions',
        'Curves, variation and chance',
        'Failures',
        'Runs',
        'Provenance and methods',
      ])
    await expect.poll(() => page.locator('figure[data-figure]').count()).toBeGreaterThan(10)
    expect({ complaints, asked }).toEqual({ complaints: [], asked: [] })
  })

  it('computes the same as the command line when metric, baseline, confidence and filter change', async () => {
    const { page, cwd } = await opened()
    await page.getByLabel('Metric').selectOption('wait_ms')
    await page.getByLabel('Baseline').selectOption({ label: 'quick' })
    await page.getByLabel('Confidence').selectOption('0.01')
    await page.getByLabel('Only runs with').fill('load=2')
    // The badges follow the filter at once, and recomputed parts are marked busy from then on.
    await page.locator('.badge', { hasText: 'only load=2' }).waitFor()
    await page.locator(':is(#verdict, #variants) [aria-busy="true"]').first().waitFor({ state: 'detached' })
    await headlineSays(page, 'wait_ms')
    const asked = ['--metric', 'wait_ms', '--control', 'policy=quick', '--alpha', '0.01', '--filter', 'load=2']
    const compared = JSON.parse((await assay(['compare', 'results/e', '--json', ...asked], { cwd })).stdout)
    const table = page.locator('figure[data-figure="differences"]')
    await table.getByRole('button', { name: 'Show as a table' }).click()
    const download = page.waitForEvent('download')
    await table.getByRole('button', { name: 'CSV' }).click()
    const csv = readFileSync(await (await download).path(), 'utf8')
    for (const { candidate, estimate, ci, p, n } of compared.comparisons)
      expectNumbers(csv, [candidate, 'quick'], [n.pairs, estimate, ci.low, ci.high, p])
    await toSection(page, 'provenance')
    await textOf(page.locator('.commands')).toContain(
      'assay compare results/e --control policy=quick --metric wait_ms --alpha 0.01 --filter load=2',
    )
  })

  it('computes the same effects as the command line', async () => {
    const { page, cwd } = await opened()
    await toSection(page, 'effects')
    const figure = page.locator('figure[data-figure="effects"]')
    const download = page.waitForEvent('download')
    await figure.getByRole('button', { name: 'CSV' }).click()
    const csv = readFileSync(await (await download).path(), 'utf8')
    const { stdout } = await assay(['effects', 'results/e', '--control', 'policy=plain', '--json'], { cwd })
    const { main } = JSON.parse(stdout)
    expect(main).toHaveLength(4)
    for (const { factor, level, control, estimate, ci, n, effect, p_adjusted } of main) {
      const against = control.replace(/^load=/, '')
      const numbers = [n.pairs, estimate, ci.low, ci.high, effect.ratio?.value ?? 0, p_adjusted]
      expectNumbers(csv, [factor, String(level), against], numbers)
    }
  })

  it('explains why a filter matches nothing, and greys out the previous result', async () => {
    const { page } = await opened()
    const before = await page.locator('.headline').textContent()
    await page.getByLabel('Only runs with').fill('polcy=quick')
    await textOf(page.getByRole('alert')).toContain('polcy, which no run has')
    await textOf(page.locator('.stale .headline')).toBe(before)
    await textOf(page.locator('.refused')).toMatch(
      /^The filter “polcy=quick” is not applied: .*\. What is shown is still about all runs\.$/,
    )
    await page.getByLabel('Only runs with').fill('load=2')
    await page.locator('.refused').waitFor({ state: 'detached' })
    await page.getByLabel('Only runs with').fill('load=5')
    await textOf(page.locator('.refused')).toBe(
      'The filter “load=5” is not applied: no run passes the filter. What is shown is still about the runs with load=2.',
    )
    await page.getByLabel('Only runs with').fill('load ==')
    await page.locator('.refused', { hasText: /is not applied: [^=]*, found the end\. What is shown/ }).waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.locator('.stale').waitFor({ state: 'detached' })
  })

  it('labels verdict, cost and time with their runs', async () => {
    const { page } = await opened()
    const tile = (name: string) => textOf(page.locator('.numbers div', { hasText: new RegExp(`^${name}`) }))
    expect(await page.locator('.badges').textContent()).not.toContain('only')
    await tile('Time').toMatch(/all 64 runs, one after another$/)
    await page.getByLabel('Only runs with').fill('load == 2 and seed > 2')
    await page.locator('.badge', { hasText: 'only load == 2 and seed > 2: 24 of 64 runs' }).waitFor()
    await tile('Time').toMatch(/all 64 runs, whatever the filter, one after another$/)
    await tile('Cost').toMatch(/all 64 runs, whatever the filter$/)
  })

  it('shows other tests beside the verdict and in the table', async () => {
    const { page, cwd } = await opened()
    const { comparisons } = JSON.parse(
      (await assay(['compare', 'results/e', '--control', 'policy=plain', '--json'], { cwd })).stdout,
    )
    await textOf(page.locator('.numbers')).toContain('by sign-flip permutation, uncorrected')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'CSV: Paired differences from plain' }).click()
    const [head, ...rows] = parseCsv(readFileSync(await (await download).path(), 'utf8'))
    const at = head?.indexOf('p by sign-flip permutation') ?? -1
    expect(rows.map(row => Number(row[at]))).toEqual(
      comparisons.map(({ other_tests: [other] }: { readonly other_tests: readonly { readonly p: number }[] }) =>
        expect.closeTo(other?.p ?? Number.NaN, 10),
      ),
    )
  })

  it('has no two buttons of figures with the same name', async () => {
    const { page } = await opened()
    for (const id of ['variants', 'cost', 'effects']) await toSection(page, id)
    await page.locator('figure[data-figure="effects"]').waitFor()
    const asked = '[...document.querySelectorAll(".figure-tools button")].map(one => one.ariaLabel)'
    const names = async () => (await page.evaluate(asked)) as readonly string[]
    await expect.poll(names).toContain('CSV: score of each arm')
    const all = await names()
    expect(new Set(all).size).toBe(all.length)
  })

  it('prints every run with column headers, and without controls', async () => {
    const { page } = await opened()
    await toSection(page, 'runs')
    await page.emulateMedia({ media: 'print' })
    const rows = page.locator('.runs-table tbody tr[data-row]')
    await expect.poll(() => rows.count()).toBe(64)
    expect(await page.locator('.runs-table input').first().isVisible()).toBe(false)
    expect(await page.locator('#runs button:visible').allTextContents()).toEqual(
      expect.arrayContaining(['policy', 'load', 'seed', 'state', 'score']),
    )
    expect(await page.locator('#runs button:not(th button):visible').count()).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    await expect.poll(() => rows.count()).toBeLessThan(64)
  })

  it('has an address for every view', async () => {
    const { page } = await opened('#/?metric=wait_ms&alpha=0.1')
    await headlineSays(page, 'wait_ms')
    await expect.poll(() => page.getByLabel('Confidence').inputValue()).toBe('0.1')
    await page.getByRole('button', { name: 'Reset' }).click()
    await headlineSays(page, 'score')
    await expect.poll(() => new URL(page.url()).hash).toBe('')
  })

  it('sorts, finds, and opens runs by keyboard', async () => {
    const { page } = await opened()
    await toSection(page, 'runs')
    const rows = page.locator('.runs-table tbody tr[data-row]')
    await page.locator('.runs-table').getByRole('button', { name: 'score' }).click()
    const sortedBy = (order: string) => page.locator(`th[aria-sort="${order}"]`, { hasText: 'score' }).waitFor()
    const values = async () =>
      (await rows.locator('td:nth-child(3)').allTextContents()).filter(text => text !== '–').map(Number)
    await sortedBy('ascending')
    const sorted = await values()
    expect(sorted).toEqual(sorted.toSorted((a, b) => a - b))
    await page.locator('.runs-table').getByRole('button', { name: 'score' }).click()
    await sortedBy('descending')
    const turned = await values()
    expect(turned).toEqual(turned.toSorted((a, b) => b - a))
    await page.getByLabel('Find').fill('score > 8 and policy == "quick"')
    await textOf(page.locator('#runs .note')).toBe('11 of 64 runs')
    await page.getByLabel('Find').fill('dear seed-3')
    await textOf(page.locator('#runs .note')).toBe('2 of 64 runs')
    await rows.first().focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await textOf(dialog.getByRole('heading', { level: 2 })).toMatch(/policy-dear_load-[12]_seed-3/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Columns', { exact: true }).click()
    await page.getByLabel('error_class').check()
    await expect.poll(() => page.getByRole('columnheader', { name: 'error_class' }).count()).toBe(1)
  })

  it('shows a run with its parameters, metrics, files and output as text', async () => {
    const { page, complaints } = await opened()
    await toSection(page, 'failures')
    await page.locator('.failure summary', { hasText: 'failed: RangeError' }).click()
    await page.locator('.failure .link').first().click()
    const dialog = page.getByRole('dialog')
    for (const part of ['too <b>large</b>', 'Parameters', 'policy', 'dear', 'Files', 'stderr.txt', 'Output'])
      await textOf(dialog).toContain(part)
    expect(await dialog.locator('a', { hasText: 'stderr.txt' }).getAttribute('href')).toMatch(
      /^\.\.\/runs\/policy-dear_load-\d_seed-4__[0-9a-f]{12}\/stderr\.txt$/,
    )
    // Neither a parameter's value, nor the description, nor what a run said became part of the page.
    expect(await page.locator('img, b').count()).toBe(0)
    expect(await page.locator('script:not([type])').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  it('shows two runs side by side and marks differences', async () => {
    const { page } = await opened()
    await toSection(page, 'runs')
    const boxes = page.locator('.runs-table tbody input')
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await page.getByRole('button', { name: 'Side by side (2 of 2)' }).click()
    const dialog = page.getByRole('dialog')
    await expect.poll(() => dialog.locator('tr.differs').count()).toBeGreaterThan(1)
    await expect.poll(() => dialog.locator('tr:not(.differs)', { hasText: /^seed/ }).count()).toBe(1)
    await expect.poll(() => dialog.locator('figure svg').count()).toBe(2)
    // Whole names above, A and B over the columns: so the difference is in sight.
    expect(await dialog.locator('.pair-key').textContent()).toMatch(/^Apolicy-.*Bpolicy-/)
    expect(await dialog.locator('.pair').first().locator('thead').textContent()).toBe('NameABB − A')
    const overflow =
      '[...document.querySelectorAll("dialog .table-scroll")].map(one => one.scrollWidth - one.clientWidth)'
    expect(Math.max(...((await page.evaluate(overflow)) as readonly number[]))).toBeLessThanOrEqual(0)
    const names = await dialog.locator('.pair').nth(1).locator('tbody th').allTextContents()
    expect(names.filter(name => name.endsWith('cost_usd'))).toHaveLength(1)
  })

  it('shows two variants side by side, block by block', async () => {
    const { page } = await opened()
    await page.getByRole('button', { name: 'Side by side' }).first().click()
    const dialog = page.getByRole('dialog')
    for (const part of ['≠load', 'They differ in 8 of 8 places that both have', 'wait_ms'])
      await textOf(dialog).toContain(part)
    await textOf(dialog.locator('.pair-sentence')).toMatch(
      /^no difference between B and A on score is shown: 0\.0417 \(95% CI −0\.141 to 0\.161\), paired on 8 seeds; a difference of about 0\.216 would have been found 80% of the time\.$/,
    )
  })

  it('supports pointer and arrow keys on every point', async () => {
    const { page } = await opened()
    await toSection(page, 'distributions')
    await page.locator('.points').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    const tooltip = page.locator('.tooltip')
    await textOf(tooltip).toMatch(/plain/)
    await page.keyboard.press('ArrowDown')
    await textOf(tooltip).toMatch(/quick/)
    await page.keyboard.press('Enter')
    await textOf(page.getByRole('dialog')).toContain('quick')
  })

  it.each(['CSV', 'SVG', 'PNG'])('gives a figure as %s', async format => {
    const { page } = await opened()
    const download = page.waitForEvent('download')
    await page.locator('figure[data-figure="estimates"]').getByRole('button', { name: format }).click()
    const file = await download
    const bytes = readFileSync(await file.path())
    expect(file.suggestedFilename()).toBe(`score-of-each-arm.${format.toLowerCase()}`)
    const start = { CSV: 'arm,seeds,mean', SVG: '<svg xmlns', PNG: '\u0089PNG' }[format]
    expect(bytes.toString('latin1').startsWith(start ?? '')).toBe(true)
  })

  it('is dark by the reader’s system or choice', async () => {
    const { address } = await report()
    const { page } = await openPage(address, { scheme: 'dark' })
    await page.waitForSelector('.bar')
    const paper = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
    await expect.poll(paper).toBe('rgb(20, 23, 26)')
    const ink = await page.locator('.chart text').first().evaluate('text => getComputedStyle(text).fill')
    expect(ink).not.toBe('rgb(34, 34, 34)')
    await page.getByRole('button', { name: 'Colours: auto' }).click()
    await expect.poll(paper).toBe('rgb(255, 255, 255)')
  })

  it('fits a phone: nothing is wider than the screen', async () => {
    const { address } = await report()
    const { page } = await openPage(address, { width: 390 })
    await page.waitForSelector('.bar')
    for (const id of ['variants', 'cost', 'effects', 'distributions', 'curves', 'failures', 'runs', 'provenance'])
      await toSection(page, id)
    await widthOf(page).toBe(390)
  })

  it.each([390, 1400])('fits a screen of %i pixels with longer names', async width => {
    const long = 'strategy_of_the_retrieval_augmented_reasoning_about_the_configuration'
    const cwd = folderWith({
      'work.mjs': `export default (params, { seed }) => ({ ${long}_score: seed + Object.values(params)[0].length })`,
      'e.yaml': `name: ${long}
target: { kind: function, module: work.mjs }
factors: { ${long}: [${long}_v1, ${long}_v2, short], load: [1, 2] }
seeds: 1..3
`,
    })
    await assay(['run', 'e.yaml', '-q'], { cwd })
    await assay(['report', `results/${long}`], { cwd })
    const { page } = await openPage(pathToFileURL(join(cwd, 'results', long, 'report/index.html')).href, { width })
    await page.waitForSelector('.bar')
    for (const id of ['variants', 'effects', 'distributions', 'curves', 'runs', 'provenance']) await toSection(page, id)
    await page.locator('figure[data-figure="effects"]').waitFor()
    await widthOf(page).toBe(width)
  })

  it('fills the table of runs on a screen of any height', async () => {
    const cwd = folderWith({
      'work.mjs': 'export default (_, { seed }) => ({ score: seed })',
      'e.yaml': 'name: e\ntarget: { kind: function, module: work.mjs }\nseeds: 1..90\n',
    })
    await assay(['run', 'e.yaml', '-q'], { cwd })
    await assay(['report', 'results/e'], { cwd })
    const { page } = await openPage(pathToFileURL(join(cwd, 'results/e/report/index.html')).href)
    await toSection(page, 'runs')
    await page.setViewportSize({ width: 1200, height: 3600 })
    await expect.poll(() => page.locator('.runs-table tbody tr[data-row]').count()).toBeGreaterThan(75)
  })

  it('prints a limited number of runs, and counts the rest', async () => {
    const cwd = folderWith({
      'work.mjs': 'export default (_, { seed }) => ({ score: seed })',
      'e.yaml': 'name: e\ntarget: { kind: function, module: work.mjs }\nseeds: 1..503\n',
    })
    await assay(['run', 'e.yaml', '-q'], { cwd })
    await assay(['report', 'results/e'], { cwd })
    const { page } = await openPage(pathToFileURL(join(cwd, 'results/e/report/index.html')).href)
    await toSection(page, 'runs')
    await page.emulateMedia({ media: 'print' })
    await page.locator('.runs-frame .note', { hasText: 'The other 3 runs are not printed' }).waitFor()
    await expect.poll(() => page.locator('.runs-table tbody tr[data-row]').count()).toBe(500)
  })

  it('reports damaged data', async () => {
    const { cwd } = await report()
    const html = readFileSync(join(cwd, 'results/e/report/index.html'), 'utf8')
    const damaged = folderWith({ 'index.html': html.replace(/(id="dataset"[^>]*>)[\s\S]{400}/, '$1') })
    const { page } = await openPage(pathToFileURL(join(damaged, 'index.html')).href)
    await textOf(page.getByRole('alert')).toContain("This report can't be shown")
  })
})
