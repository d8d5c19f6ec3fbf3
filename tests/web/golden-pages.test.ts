import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { browserProgram } from '../../bench/browser.ts'
import { assay, folderWith } from '../support/assay.ts'
import { pagesOfOneBrowser } from '../support/browser.ts'
import { serveRoot } from '../support/dashboard.ts'
import { expectGolden, pin } from '../support/golden-picture.ts'
import { changeJournal } from '../support/journal.ts'
import { harbour, harbourExperiment } from '../support/story.ts'

const reason = (await browserProgram()) === null ? 'there is no Chromium here, neither Debian’s nor npm’s' : null
const openPage = pagesOfOneBrowser()

/** One small experiment for each kind of page; all its metrics are computed, none is measured. */
const kinds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  grid: {
    'work.mjs': `export default ({ strategy, load }, { seed }) => ({
  wait_s: 20 * load + 60 * (strategy === 'shortest_first' ? 0 : load) + 5 * Math.sin(7 * seed + 30 * load) + (strategy === 'round_robin_of_queues' ? 4 * Math.cos(seed) : 0),
})`,
    'e.yaml': `name: golden
target: { kind: function, module: work.mjs }
factors: { strategy: [first_come, shortest_first, round_robin_of_queues], load: [0.5, 2] }
seeds: 1..8
metrics: { wait_s: { goal: minimize, primary: true } }
`,
  },
  search: {
    'work.mjs': 'export default ({ rate, kind }) => ({ loss: (Math.log10(rate) + 2) ** 2 + (kind === "a" ? 0.1 : 1) })',
    'e.yaml': `name: golden
target: { kind: function, module: work.mjs }
factors: { rate: { min: 0.001, max: 0.08, scale: log }, kind: [a, b] }
metrics: { loss: { goal: minimize, primary: true } }
search: { method: random, max_runs: 12 }
limits: { jobs: 1 }
`,
  },
  prompts: {
    'e.yaml': `name: golden
target:
  kind: prompt
  prompts: { plain: "Say {{word}}", polite: "Please say {{word}}" }
  models: [sim/a]
  tests: [{ id: one, vars: { word: "yes" } }, { id: two, vars: { word: "no" } }, { id: three, vars: { word: "later" } }]
  assert: [{ type: contains, value: "OK" }]
models:
  sim/a:
    rules: [{ contains: "Please", answer: "OK, now" }, { contains: "yes", answer: OK }, { answer: "not today" }]
`,
  },
  scenario: { ...harbour, 'e.yaml': harbourExperiment.replace('name: dues', 'name: golden') },
  benchmark: {
    'work.mjs': `export default ({ model }, { block, replicate }) => ({
  score: Number((block.task.length * 7 + replicate * 3 + (model === 'steady' ? 4 : 0)) % 10 > 3),
})`,
    'e.yaml': `name: golden
target: { kind: function, module: work.mjs }
factors: { model: [quick, steady] }
blocks: { task: [lru-cache, shell-pipeline, interval-set, text-columns, parser, scheduler] }
replicates: 4
metrics: { score: { goal: maximize, primary: true } }
`,
  },
}

/** Fixed measurements, because a page has other sections if runs were slow on a busy machine. */
const sameTimes = `UPDATE attempts SET
  started_at = 1760000000000 + 1000 * id, ended_at = 1760000000010 + 1000 * id,
  wall_s = 0.01, cpu_s = 0.01, max_rss_bytes = NULL`

const looks = [1400, 390].flatMap(width => (['light', 'dark'] as const).map(scheme => ({ width, scheme })))

/** Words in the first column of tables that are broken across lines. */
const brokenWords = `[...document.querySelectorAll('section.table-scroll td:first-child')].flatMap(({ firstChild: text }) =>
  text?.nodeType !== Node.TEXT_NODE ? [] : [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(text, index)
    range.setEnd(text, index + word.length)
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1
  }).map(([word]) => word))`

// The page of each kind, as it was last looked at by a person. CONTRIBUTING.md says how to renew the pictures.
describe.skipIf(reason !== null)(`looks as it did${reason === null ? '' : `: ${reason}`}`, () => {
  it.each(Object.entries(kinds))('%s', async (kind, files) => {
    const cwd = folderWith(files)
    expect(await assay(['run', 'e.yaml', '-q'], { cwd })).toMatchObject({ status: 0 })
    changeJournal(join(cwd, 'results/golden'), sameTimes)
    await assay(['report', 'results/golden'], { cwd })
    const { page } = await openPage(pathToFileURL(join(cwd, 'results/golden/report/index.html')).href, {
      takesStyles: true,
    })
    await expectLooks(page, kind, { wide: 3600, narrow: 7200 })
    expect(await page.evaluate(brokenWords)).toEqual([])
  })

  it('the list of the dashboard', async () => {
    const listed = ['benchmark', 'grid', 'search']
    const files = listed.flatMap(kind =>
      Object.entries(kinds[kind] ?? {}).map(
        ([name, text]) => [`${kind}/${name}`, text.replace('golden', kind)] as const,
      ),
    )
    const cwd = folderWith(Object.fromEntries(files))
    for (const kind of listed) {
      const part = kind === 'grid' ? ['--first', '30'] : []
      const args = ['run', 'e.yaml', '-q', '--out-root', '../results', ...part]
      expect(await assay(args, { cwd: join(cwd, kind) })).toMatchObject({ status: 0 })
      changeJournal(join(cwd, 'results', kind), sameTimes)
    }
    await assay(['tag', 'results/search', 'nightly'], { cwd })
    const { url } = await serveRoot(cwd)
    const { page } = await openPage(url, { takesStyles: true })
    await page.clock.setFixedTime(1_760_000_600_000)
    await page
      .locator('.experiment-verdict:not(.waiting)')
      .nth(listed.length - 1)
      .waitFor()
    await expectLooks(page, 'dashboard', { wide: 900, narrow: 1200 })
  })
})

/** In both widths and colours. */
async function expectLooks(page: Page, name: string, heights: { readonly wide: number; readonly narrow: number }) {
  await pin(page)
  for (const { width, scheme } of looks) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.setViewportSize({ width, height: width < 400 ? heights.narrow : heights.wide })
    await expectGolden(page, fileURLToPath(new URL(`golden/${name}-${width}-${scheme}.png`, import.meta.url)))
  }
}
