import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { browserProgram } from '../../bench/browser.ts'
import { assay, folderWith } from '../support/assay.ts'
import { pagesOfOneBrowser, textOf, toSection, widthOf } from '../support/browser.ts'

const reason = (await browserProgram()) === null ? 'there is no Chromium here, neither Debian’s nor npm’s' : null
const openPage = pagesOfOneBrowser()

async function reportOf(files: Readonly<Record<string, string>>, name: string): Promise<string> {
  const cwd = folderWith(files)
  await assay(['run', 'e.yaml', '-q'], { cwd })
  await assay(['report', `results/${name}`], { cwd })
  return pathToFileURL(join(cwd, 'results', name, 'report/index.html')).href
}

describe.skipIf(reason !== null)(`a page for each kind of question${reason === null ? '' : `: ${reason}`}`, () => {
  it('a search: its best value with parameters as chips, then what was tried on the scales of the file', async () => {
    const address = await reportOf(
      {
        'work.mjs':
          'export default ({ rate, kind }) => ({ loss: (Math.log10(rate) + 2) ** 2 + (kind === "a" ? 0.1 : 1) })',
        'e.yaml': `name: tuning
target: { kind: function, module: work.mjs }
factors: { rate: { min: 0.001, max: 0.08, scale: log }, kind: [a, b] }
metrics: { loss: { goal: minimize, primary: true } }
search: { method: random, max_runs: 12 }
`,
      },
      'tuning',
    )
    const { page, complaints } = await openPage(address, { width: 390 })
    await textOf(page.locator('.headline')).toMatch(/^Best loss: [\d.]+ \(1 run\)$/)
    await expect
      .poll(() => page.locator('.chips li').allTextContents())
      .toEqual([expect.stringMatching(/^rate0\.0/), expect.stringMatching(/^kind[ab]$/)])
    await expect
      .poll(() => page.locator('nav.contents a').allTextContents())
      .toEqual(['Verdict', 'Search', 'Variants', 'Runs', 'Provenance'])
    await toSection(page, 'search')
    const slices = page.locator('figure[data-figure="slices"] svg').first()
    // Between 0.001 and 0.08 a guess from the numbers would be linear.
    await textOf(slices).toContain('rate, log scale')
    await widthOf(page).toBe(390)
    expect(complaints).toEqual([])
  })

  it('prompts: cases × variants, disagreements, and reasons; stacked on a phone', async () => {
    const address = await reportOf(
      {
        'e.yaml': `name: asked
target:
  kind: prompt
  prompts: { plain: "Say {{word}}", polite: "Please say {{word}}" }
  models: [sim/a]
  tests: [{ id: one, vars: { word: "yes" } }, { id: two, vars: { word: "no" } }]
  assert: [{ type: contains, value: "OK" }]
models:
  sim/a:
    rules: [{ contains: "Please", answer: "OK <b>now</b>" }, { contains: "yes", answer: OK }, { answer: "not today" }]
`,
      },
      'asked',
    )
    const { page, complaints } = await openPage(address)
    await toSection(page, 'prompts')
    const rows = page.locator('.matrix tbody tr')
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByText('Where they disagree (1)').click()
    await expect.poll(() => rows.count()).toBe(1)
    await textOf(rows.first()).toMatch(/two.*they disagree.*fail.*not today.*OK.*pass.*OK <b>now<\/b>/s)
    await rows.first().locator('button').first().click()
    await page.getByRole('dialog').waitFor()
    expect(complaints).toEqual([])
    const phone = await openPage(address, { width: 390, scheme: 'dark' })
    await toSection(phone.page, 'prompts')
    await widthOf(phone.page).toBe(390)
  })

  it('a comparison of one factor: arms are not drawn twice, and no section is empty', async () => {
    const address = await reportOf(
      {
        'work.mjs': 'export default ({ arm }, { seed }) => ({ score: (arm === "b" ? 1 : 0) + Math.sin(7 * seed) })',
        'e.yaml': `name: "long_name.of_an_experiment"
target: { kind: function, module: work.mjs }
factors: { arm: [a, b, c] }
seeds: 1..6
naming: "{name}.{arm}.seed{seed}"
metrics: { score: { goal: maximize, primary: true } }
`,
      },
      'long_name.of_an_experiment',
    )
    const { page, complaints } = await openPage(address, { width: 390 })
    await toSection(page, 'variants')
    await page.locator('figure[data-figure="differences"] svg').first().waitFor()
    expect(await page.locator('figure[data-figure="variants"]').count()).toBe(0)
    await toSection(page, 'curves')
    await textOf(page.locator('#curves h2')).toBe('Variation and chance')
    await expect.poll(() => page.getByLabel('Chance and shape of').inputValue()).toBe('b')
    await toSection(page, 'runs')
    // The metric is visible on a phone: names omit their common prefix.
    await expect
      .poll(() => page.locator('.runs-table tbody td:nth-child(2)').first().textContent())
      .toMatch(/^[abc]\.seed\d$/)
    const right = () =>
      page
        .locator('.runs-table th', { hasText: 'score' })
        .evaluate((cell: { getBoundingClientRect(): { right: number } }) => cell.getBoundingClientRect().right)
    await expect.poll(right).toBeLessThan(390)
    expect(await page.locator('main').textContent()).not.toContain('to draw')
    expect(complaints).toEqual([])
  })

  it('a search lists its runs from the best on', async () => {
    const address = await reportOf(
      {
        'work.mjs': 'export default ({ rate }) => ({ loss: (rate - 3) ** 2 })',
        'e.yaml': `name: sorted
target: { kind: function, module: work.mjs }
factors: { rate: { min: 0, max: 9 } }
metrics: { loss: { goal: minimize, primary: true } }
search: { method: random, max_runs: 8 }
`,
      },
      'sorted',
    )
    const { page } = await openPage(address)
    await toSection(page, 'runs')
    const losses = async () => (await page.locator('.runs-table tbody td:nth-child(3)').allTextContents()).map(Number)
    await expect.poll(async () => (await losses()).length).toBe(8)
    expect(await losses()).toEqual((await losses()).toSorted((a, b) => a - b))
  })
})
