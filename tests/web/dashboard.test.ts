import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { browserProgram } from '../../bench/browser.ts'
import { writeWorkersSeen } from '../../src/record/places.ts'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { pagesOfOneBrowser, textOf, toSection, widthOf } from '../support/browser.ts'
import { serveRoot } from '../support/dashboard.ts'

const reason = (await browserProgram()) === null ? 'there is no Chromium here, neither Debian’s nor npm’s' : null

const files = {
  // Reports until a file is there, so that a test says when it may end.
  'train.sh': `#!/bin/sh
echo "policy $1 <b>bold</b>"
i=0
while [ $i -lt 5 ] || { [ -e "$3/hold" ] && [ ! -e "$3/go" ]; }; do
  i=$((i + 1))
  echo "{\\"step\\": $i, \\"loss\\": $i.5}" >> "$ASSAY_METRICS_FILE"
  [ -e "$3/hold" ] && sleep 0.1
done
echo "{\\"score\\": $2$(printf %d "'$1")}" >> "$ASSAY_METRICS_FILE"
echo "{\\"cost_usd\\": 0.01}" >> "$ASSAY_METRICS_FILE"
seq 1 20000
[ "$1$2" != dear2 ]
`,
  'e.yaml': `name: e
description: Which policy is best?
target: { kind: command, command: ["./train.sh", "{policy}", "{seed}", "FOLDER"] }
factors: { policy: [plain, quick, dear] }
seeds: 1..3
limits: { jobs: 2, budget_usd: 1, run_budget_usd: 0.05 }
metrics: { score: { goal: maximize, primary: true } }
`,
}

const openPage = pagesOfOneBrowser()

function folder(more: Readonly<Record<string, string>> = {}): string {
  const cwd = folderWith({ ...files, ...more })
  writeFileSync(join(cwd, 'e.yaml'), files['e.yaml'].replace('FOLDER', cwd))
  return cwd
}

let made: Promise<string> | undefined

/** Finished, twice: nothing here changes it. */
function finished(): Promise<string> {
  made ??= makeFinished()
  return made
}

async function makeFinished(): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-dashboard-'))
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(cwd, name), text.replace('FOLDER', cwd), { mode: text.startsWith('#!') ? 0o755 : 0o644 })
  await assay(['run', 'e.yaml', '-q'], { cwd })
  await assay(['run', 'e.yaml', '-q', '--exp-name', 'f', '--filter', 'policy=plain'], { cwd })
  return cwd
}

afterAll(async () => {
  if (made !== undefined) rmSync(await made, { recursive: true, force: true })
})

describe.skipIf(reason !== null)(`the dashboard in a browser${reason === null ? '' : `: ${reason}`}`, () => {
  it('follows a running experiment: progress, series, pause, resume, limits, the report as runs end', async () => {
    const cwd = folder({ hold: '' })
    const run = startAssay(['run', 'e.yaml', '--json'], { cwd })
    await run.said('"attempt_started"', 2)
    const { address } = await serveRoot(cwd)
    const { page, complaints, asked } = await openPage(`${address}experiment?dir=e`)
    await page.locator('.badge', { hasText: 'running' }).first().waitFor()
    await textOf(page.locator('.strip-counts')).toContain('0 of 9 completed · 2 running · 7 to come')
    await page.locator('.mini canvas').first().waitFor()
    await expect.poll(() => page.locator('.running-list > li').count()).toBe(2)
    // All running runs on one pair of axes for each metric.
    await expect.poll(() => page.locator('.mini').count()).toBe(1)
    await expect.poll(() => page.getByText('No run has ended yet').count()).toBe(1)
    await page.locator('.meter', { hasText: 'Memory' }).waitFor()
    const worker = { id: 'far-1', host: 'far', runs: 3, slots: 8, cpus: 16, gpus: 2, load: 4.5 }
    writeWorkersSeen(join(cwd, 'results', 'e'), [worker])
    await textOf(page.locator('.meter', { hasText: 'far' })).toContain('3 of 8 runs')
    await textOf(page.locator('.meter', { hasText: 'far' })).toContain('load 4.50, 16 cores, 2 GPUs')

    // A run that has not ended has a page too.
    await page.locator('.running-list .link').first().click()
    await page.getByRole('dialog').locator('.output pre', { hasText: 'policy plain <b>bold</b>' }).waitFor()
    await expect.poll(() => page.url()).toContain('run=e%2F')
    await page.reload()
    await page.getByRole('dialog').locator('.output pre', { hasText: 'policy plain <b>bold</b>' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Limits …' }).click()
    await page.getByLabel('Runs at a time').fill('0')
    await page.getByRole('button', { name: 'Set' }).click()
    await textOf(page.getByRole('alert')).toMatch(/^Runs at a time: expected a whole number from 1/)
    await page.getByLabel('Runs at a time').fill('3')
    await page.getByRole('button', { name: 'Set' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.locator('.strip-counts', { hasText: '3 running' }).waitFor()

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.locator('.strip .badge', { hasText: 'paused' }).waitFor()
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator('.strip .badge', { hasText: 'running' }).waitFor()

    writeFileSync(join(cwd, 'go'), '')
    await page.locator('.strip .badge', { hasText: 'complete, 1 without a result' }).waitFor()
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 8, failed: 1 })
    await page.locator('.badge', { hasText: 'complete: 9 runs' }).waitFor()
    await page.locator('.headline', { hasText: 'score' }).waitFor()
    await expect.poll(() => page.title()).toBe('e: 8 of 9')
    expect(complaints.filter(line => !line.includes('400 (Bad Request)'))).toEqual([])
    expect(asked.filter(url => !url.startsWith(address))).toEqual([])
  })

  it('stops an experiment', async () => {
    const cwd = folder({ hold: '' })
    const run = startAssay(['run', 'e.yaml', '--json'], { cwd })
    await run.said('"attempt_started"', 2)
    const { address } = await serveRoot(cwd)
    const { page } = await openPage(`${address}experiment?dir=e`)
    await page.getByRole('button', { name: 'Stop …' }).click()
    await page.getByRole('button', { name: 'Stop now: cancel running runs' }).click()
    expect(summaryOf(await run.ended)).toMatchObject({ completed: 0, cancelled: 2 })
    await page.locator('.strip .badge', { hasText: 'no process is running it' }).waitFor()
  })

  it('keeps the reader’s place while new runs come in', async () => {
    const cwd = folder({ hold: '' })
    writeFileSync(join(cwd, 'go'), '')
    await assay(['run', 'e.yaml', '-q', '--filter', 'policy=plain'], { cwd })
    rmSync(join(cwd, 'go'))
    const run = startAssay(['run', 'e.yaml', '--json'], { cwd })
    await run.said('"attempt_started"', 2)
    const { address } = await serveRoot(cwd)
    const { page, complaints } = await openPage(`${address}experiment?dir=e`)
    // Content rendered above it moves the scroll position until all of it is there.
    await page.locator('#runs').waitFor()
    const sections = await page.evaluate<string[]>('[...document.querySelectorAll("section[id]")].map(({ id }) => id)')
    for (const id of sections.slice(0, sections.indexOf('runs') + 1)) await toSection(page, id)
    await page.getByLabel('Find').fill('seed-')
    await page.locator('.runs-table').getByRole('button', { name: 'score' }).click()
    await page.locator('#runs .note', { hasText: '3 runs' }).waitFor()
    await page.locator('#runs-find').scrollIntoViewIfNeeded()
    writeFileSync(join(cwd, 'go'), '')
    await run.ended
    await page.locator('#runs .note', { hasText: '9 runs' }).waitFor()
    expect(await page.getByLabel('Find').inputValue()).toBe('seed-')
    expect(await page.locator('th[aria-sort="ascending"]').textContent()).toContain('score')
    const top = () => page.evaluate('document.getElementById("runs-find").getBoundingClientRect().top')
    await expect.poll(top).toSatisfy((px: number) => px > 0 && px < 900)
    expect(complaints).toEqual([])
  })

  it('lists all experiments and compares selected ones', async () => {
    const cwd = await finished()
    const { address } = await serveRoot(cwd)
    const { page, complaints, asked } = await openPage(address)
    await page.locator('.experiment').nth(1).waitFor()
    await expect
      .poll(async () => (await page.locator('.experiment-head a').allTextContents()).sort())
      .toEqual(['e', 'f'])
    expect(await page.locator('.experiments').textContent()).not.toContain('best score:')
    await page.getByLabel('Sort by').selectOption('name')
    await expect.poll(() => page.locator('.experiment-head a').allTextContents()).toEqual(['e', 'f'])
    await page.getByLabel('Find').fill('nothing like it')
    await textOf(page.locator('.home-finder .note')).toBe('0 of 2 experiments')
    await page.getByLabel('Find').fill('')
    await page.locator('.experiment-verdict', { hasText: 'on score' }).first().waitFor()
    await page.getByLabel('Choose e to compare').check()
    await page.getByLabel('Choose f to compare').check()
    await page.getByRole('link', { name: 'Compare 2 experiments' }).click()
    await page.getByLabel('Compare by').selectOption('experiment')
    await page.locator('.headline', { hasText: 'score' }).waitFor()
    await page.locator('#runs').scrollIntoViewIfNeeded()
    await page.locator('#runs .note', { hasText: '12 runs' }).waitFor()
    // A run of the second experiment is opened out of the right folder.
    await page.getByLabel('Find').fill('experiment = f')
    await page.locator('.runs-table tbody tr[data-row]').first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'stdout.txt', exact: true }).waitFor()
    expect(complaints).toEqual([])
    expect(asked.filter(url => !url.startsWith(address))).toEqual([])
  })

  it('shows a run: parameters, attempts, files, output page by page, all as text', async () => {
    const cwd = await finished()
    const { address } = await serveRoot(cwd)
    const { page, complaints } = await openPage(`${address}experiment?dir=e`)
    await page.locator('#failures').scrollIntoViewIfNeeded()
    await page.locator('.failure summary').first().click()
    await page.locator('.failure .link').first().click()
    const dialog = page.getByRole('dialog')
    const output = dialog.locator('.output', { hasText: 'stdout.txt' })
    await output.waitFor()
    await textOf(output.locator('pre')).toMatch(/\n20000\n$/)
    await output.getByRole('button', { name: 'Beginning' }).click()
    await output.locator('pre', { hasText: 'policy dear <b>bold</b>' }).waitFor()
    expect(await output.locator('b').count()).toBe(0)
    await output.getByRole('button', { name: 'After' }).click()
    await output.locator('figcaption', { hasText: '32.8 kB to 65.5 kB of' }).waitFor()
    await dialog.getByRole('button', { name: 'metrics.jsonl' }).click()
    await dialog.locator('.output pre', { hasText: '"loss": 1.5' }).waitFor()
    const download = page.waitForEvent('download')
    await dialog.getByLabel('Save metrics.jsonl').click()
    expect((await download).suggestedFilename()).toBe('metrics.jsonl')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  it('shows two runs side by side, with their output', async () => {
    const cwd = await finished()
    const { address } = await serveRoot(cwd)
    const { page, complaints } = await openPage(`${address}experiment?dir=e`)
    await page.locator('#runs').scrollIntoViewIfNeeded()
    await page.locator('.runs-table tbody input[type=checkbox]').nth(0).check()
    await page.locator('.runs-table tbody input[type=checkbox]').nth(1).check()
    await page.getByRole('button', { name: 'Side by side (2 of 2)' }).click()
    const outputs = page.getByRole('dialog').locator('.two .output pre')
    const areWhole = async () => (await outputs.allTextContents()).map(text => text.trimEnd().endsWith('20000'))
    await expect.poll(areWhole).toEqual([true, true])
    expect(complaints).toEqual([])
  })

  it('sorts thousands of runs, and renders only visible rows', async () => {
    const cwd = folderWith({
      'work.mjs': 'export default ({ x }, { seed }) => ({ score: Math.sin(seed * x) })\n',
      'many.yaml':
        'name: many\ntarget: { kind: function, module: work.mjs }\nfactors: { x: [1, 2, 3] }\nseeds: 1..2000\nmetrics: { score: { goal: maximize, primary: true } }\n',
    })
    await assay(['run', 'many.yaml', '-q'], { cwd })
    const { address } = await serveRoot(cwd)
    const { page, complaints } = await openPage(`${address}experiment?dir=many`)
    await page.locator('#runs').scrollIntoViewIfNeeded()
    await page.locator('#runs .note', { hasText: /6,?000 runs/ }).waitFor()
    const head = page.locator('.runs-table thead')
    const rows = page.locator('.runs-table tbody tr[data-row]')
    await head.getByRole('button', { name: 'run', exact: true }).click()
    // Numbers in names count by size: 10 is not before 2. The first row may have been the first before.
    const named = (name: string) => `td[title^="${name}__"]`
    await rows.nth(1).locator(named('x-1_seed-2')).waitFor()
    await rows.first().locator(named('x-1_seed-1')).waitFor()
    await head.getByRole('button', { name: 'run' }).first().click()
    await rows.first().locator(named('x-3_seed-2000')).waitFor()
    await expect.poll(() => rows.count()).toBeLessThan(100)
    await rows.first().focus()
    await page.keyboard.press('End')
    await page.locator(`.runs-table tbody tr[data-row="5999"] ${named('x-1_seed-1')}`).waitFor()
    expect(complaints).toEqual([])
  })

  it('reports a missing experiment, and why one stopped', async () => {
    const cwd = folder()
    await assay(['run', 'e.yaml', '-q', '--budget', '0.06', '-j', '1'], { cwd })
    const { address } = await serveRoot(cwd)
    const { page } = await openPage(`${address}experiment?dir=nope`)
    await page.getByRole('alert').filter({ hasText: 'nope' }).waitFor()
    expect(await page.getByText('The server does not answer').count()).toBe(0)
    await page.goto(`${address}experiment?dir=e`)
    await page.locator('.strip-why', { hasText: /^Stopped: the budget of \$0\.06.* has no room/ }).waitFor()
    await page.locator('.strip .badge', { hasText: 'stopped; no process is running it' }).waitFor()
    await page.locator('.strip .note', { hasText: 'To continue, run the same assay run command again.' }).waitFor()
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
  })

  it('opens with a token if one is needed', async () => {
    const cwd = await finished()
    const { url, address } = await serveRoot(cwd, ['results', '--host', '0.0.0.0'])
    const { page, complaints } = await openPage(url)
    await page.locator('.experiment').first().waitFor()
    await expect.poll(() => page.url()).toBe(address)
    expect(complaints).toEqual([])
  })

  it.each(['light', 'dark'] as const)('fits a phone, %s', async scheme => {
    const cwd = await finished()
    const { address } = await serveRoot(cwd)
    const { page } = await openPage(address, { width: 390, scheme })
    await page.locator('.experiment').first().waitFor()
    await widthOf(page).toBe(390)
    await page.locator('.experiment-head a').first().click()
    await page.locator('.headline').waitFor()
    await widthOf(page).toBe(390)
  })
})
