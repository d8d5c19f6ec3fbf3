import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { browserProgram, startBrowser } from '../browser.ts'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

const work =
  'export default ({ x, y }, { seed }) => ({ score: x + Math.sin(seed * y), other: 2 * x + Math.cos(seed) })\n'

const experiment = `name: large
target: { kind: function, module: work.mjs }
factors: { x: 1..5, y: [1, 2] }
seeds: 1..10000
limits: { jobs: 2 }
metrics: { score: { goal: maximize, primary: true } }
`

/** Two columns of numbers, and the names, which are all different. */
const sortedBy = ['score', 'wall_s', 'run'] as const

/** A hundred thousand runs in the browser: time to the first content, and whether sorting freezes the page. */
export const dashboardBench: Bench = {
  name: 'dashboard',
  run: () =>
    inTemporaryFolder(async folder => {
      if ((await browserProgram()) === null)
        return [{ work: 'the dashboard', result: 'no Chromium here', mustReach: '', isReached: null }]
      writeFileSync(join(folder, 'work.mjs'), work)
      writeFileSync(join(folder, 'experiment.yaml'), experiment)
      await measure([process.execPath, assay, 'run', '-q'], { cwd: folder })
      const server = spawn(process.execPath, [assay, 'serve', 'results', '--port', '0', '--json'], { cwd: folder })
      const browser = await startBrowser()
      try {
        const [line] = await once(server.stdout, 'data')
        const { address } = JSON.parse(String(line))
        return await rowsOf(browser, `${address}experiment?dir=large`)
      } finally {
        await browser.close()
        const ended = once(server, 'close')
        server.kill('SIGINT')
        await ended
      }
    }),
}

async function rowsOf(browser: Browser, address: string): Promise<readonly Row[]> {
  const { ms } = await alternate(3, { ms: () => firstContent(browser, address) })
  const page = await browser.newPage()
  await page.addInitScript(`globalThis.longest = 0
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
    }).observe({ type: 'longtask' })`)
  await page.goto(address)
  // Until the statistics of all visible sections are computed, which are unrelated to sorting.
  await page.locator('.headline').waitFor({ timeout: 120_000 })
  await page.locator('#runs').scrollIntoViewIfNeeded()
  await page.locator('.runs-table tbody tr[data-row]').first().waitFor({ timeout: 120_000 })
  await page.locator('.waiting').first().waitFor({ state: 'detached', timeout: 120_000 })
  const loadingMs = Number(await page.evaluate('globalThis.longest'))
  const sorts: { readonly column: string; readonly freezeMs: number; readonly ms: number }[] = []
  for (const column of sortedBy) sorts.push({ column, ...(await sorting(page, column)) })
  return [
    {
      work: 'dashboard with 100,000 runs: first content',
      result: `${(ms / 1000).toFixed(2)} s`,
      mustReach: '< 1 s',
      isReached: ms < 1000,
    },
    {
      work: 'the same: longest freeze until everything is there, once',
      result: `${Math.round(loadingMs)} ms`,
      mustReach: '',
      isReached: null,
    },
    ...sorts.map(({ column, freezeMs, ms }) => ({
      work: `the same sorted by ${column}: longest freeze (sorted after ${(ms / 1000).toFixed(2)} s)`,
      result: `${Math.round(freezeMs)} ms`,
      mustReach: '< 200 ms',
      isReached: freezeMs < 200,
    })),
  ]
}

/** From the start of loading until progress is shown. */
async function firstContent(browser: Browser, address: string): Promise<number> {
  const page = await browser.newPage()
  await page.goto(address, { waitUntil: 'commit' })
  await page.waitForSelector('.strip-counts')
  const now = Number(await page.evaluate('performance.now()'))
  await page.close()
  return now
}

async function sorting(page: Page, column: string): Promise<{ readonly freezeMs: number; readonly ms: number }> {
  const first = page.locator('.runs-table tbody tr[data-row="0"]')
  const table = page.locator('.runs-table')
  // Descending, so that another row is first.
  await table.getByRole('button', { name: column, exact: true }).click()
  await page.waitForTimeout(2000)
  const before = await first.textContent()
  await page.evaluate('globalThis.longest = 0')
  const started = performance.now()
  await table.getByRole('button', { name: column }).first().click()
  while ((await first.textContent()) === before) await page.waitForTimeout(10)
  const ms = performance.now() - started
  await page.waitForTimeout(500)
  return { freezeMs: Number(await page.evaluate('globalThis.longest')), ms }
}
