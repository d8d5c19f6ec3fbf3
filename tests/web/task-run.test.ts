import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { browserProgram } from '../../bench/browser.ts'
import { assay } from '../support/assay.ts'
import { pagesOfOneBrowser, textOf, toSection, widthOf } from '../support/browser.ts'
import { serveRoot } from '../support/dashboard.ts'
import { runRollouts } from '../support/rollouts.ts'
import { working } from '../support/task-work.ts'

const reason = (await browserProgram()) === null ? 'there is no Chromium here, neither Debian’s nor npm’s' : null

const toml = ['hard', 'shaky', 'easy', 'gpu']
  .map(task => `[[tasks]]\nprepared_dir = "tasks/${task}"\nmodel = "gpt-4"\nrollouts = 2\n`)
  .join('')

const openPage = pagesOfOneBrowser()
let made: Promise<{ readonly cwd: string; readonly dir: string }> | undefined

/** Made once: nothing here changes it. */
function benchmark() {
  made ??= makeBenchmark()
  return made
}

async function makeBenchmark() {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-tasks-'))
  mkdirSync(join(cwd, 'configs'))
  writeFileSync(join(cwd, 'configs/bench.toml'), `name = "bench"\nparallel = 2\n${toml}`)
  const scores: Readonly<Record<string, readonly (number | null)[]>> = {
    'tasks/hard': [0.5, 0.5],
    'tasks/shaky': [1, 0],
    'tasks/easy': [1, 1],
  }
  const { dir } = await runRollouts({ cwd, script: working((task, at) => scores[task]?.[at - 1] ?? null) })
  return { cwd, dir }
}

afterAll(async () => {
  if (made !== undefined) rmSync((await made).cwd, { recursive: true, force: true })
})

/** Opens the first run of a task by its row. */
async function openRun(page: Page, task: string): Promise<void> {
  await toSection(page, 'runs')
  await page.getByLabel('Find').fill(task)
  await textOf(page.locator('#runs .note')).toBe('2 of 8 runs')
  await page.locator('.runs-table tbody tr[data-row]').first().click()
}

/** The whole view of a run that failed one of its tests. */
async function expectWork(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  const task = dialog.locator('.task')
  await textOf(task.locator('.score')).toBe('Score 50% not passed')
  for (const part of [
    'It endedtimed out after 12.5 s',
    'It used7 calls, 1200 tokens, 5 tool calls, $0.25',
    'Sandboxbubblewrap 0.8.0, isolated by namespaces, no network, no limit of storage',
    'ProvidedRUN pip install pytest',
    'Tests: 1 of 2 passed',
    'failed test_<b>works</b>',
    '<img src=x onerror=alert(1)> no hello',
    'By the judges: 50%; they agree on 0% of the rubrics.',
    'strict 10%',
    '<i>no comments</i>',
    '3 files, +3 −1',
    'red <script>alert(2)</script>',
  ])
    await textOf(task).toContain(part)
  const added = task.locator('.diff-added')
  await expect
    .poll(() => added.allTextContents())
    .toEqual(["+echo '<b>hello</b>'\n", '+++ not a head\n', "+print('b')\n"])
  await textOf(task.locator('.diff-removed')).toBe("-print('a')\n")
  const colourOf = (kind: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('.diff-${kind}')).backgroundColor`)
  expect([await colourOf('added'), await colourOf('removed')]).toEqual(['rgb(228, 243, 234)', 'rgb(251, 233, 232)'])
  // A run's output is shown as text everywhere.
  expect(await page.locator('img, b, i').count()).toBe(0)
}

describe.skipIf(reason !== null)(`runs of tasks in a browser${reason === null ? '' : `: ${reason}`}`, () => {
  it('show scores by task, and what the agent did, in a report', async () => {
    const { cwd, dir } = await benchmark()
    await assay(['report', dir, '--output', 'report.html'], { cwd })
    const { page, complaints, asked } = await openPage(pathToFileURL(join(cwd, 'report.html')).href)
    await toSection(page, 'scores')
    await textOf(page.locator('#scores .sentences')).toMatch(
      /^Mean score 66\.7% \(95% CI .*, clustered by task\) over 6 of 8 rollouts of 4 tasks; 2 could not be scored; 3 of 6 resolved; pass@2 66\.7%, pass\^2 33\.3% \(3 tasks\)\.$/,
    )
    const rows = page.locator('figure[data-figure="task-scores"] tbody tr')
    await expect
      .poll(async () => (await rows.allTextContents()).map(text => /^\D+/.exec(text)?.[0]))
      .toEqual(['hardfailing', 'shakyflaky', 'gpunot scored', 'easysolved'])
    await textOf(page.locator('#scores .failure')).toContain(
      'gpu, 2 rollouts: Dockerfile line 2: RUN apt-get install <b>cuda</b>',
    )
    await openRun(page, 'hard')
    await expectWork(page)
    expect({ complaints, asked }).toEqual({ complaints: [], asked: [] })
  })

  it('show the same in the dashboard, read on demand', async () => {
    const { cwd, dir } = await benchmark()
    const { address } = await serveRoot(cwd, [join(dir, '..')])
    const { page, complaints } = await openPage(`${address}experiment?dir=${dir.split('/').at(-1)}`)
    await toSection(page, 'scores')
    await textOf(page.locator('#scores .sentences')).toContain('over 6 of 8 rollouts of 4 tasks')
    await openRun(page, 'hard')
    await expectWork(page)
    expect(complaints).toEqual([])
  })

  it('are shown side by side, and fit a phone', async () => {
    const { cwd, dir } = await benchmark()
    await assay(['report', dir, '--output', 'pair.html'], { cwd })
    const { page } = await openPage(pathToFileURL(join(cwd, 'pair.html')).href, { width: 390 })
    await toSection(page, 'runs')
    const boxes = page.locator('.runs-table tbody input')
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await page.getByRole('button', { name: 'Side by side (2 of 2)' }).click()
    await expect.poll(() => page.getByRole('dialog').locator('.task').count()).toBe(2)
    await widthOf(page).toBe(390)
  })
})
