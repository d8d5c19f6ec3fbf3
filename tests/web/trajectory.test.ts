import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { browserProgram } from '../../bench/browser.ts'
import { agentRun } from '../support/agent-work.ts'
import { assay } from '../support/assay.ts'
import { pagesOfOneBrowser, textOf, toSection, widthOf } from '../support/browser.ts'
import { serveRoot } from '../support/dashboard.ts'
import { runRollouts } from '../support/rollouts.ts'

const reason = (await browserProgram()) === null ? 'there is no Chromium here, neither Debian’s nor npm’s' : null

const toml = ['large', 'small']
  .flatMap(model =>
    ['easy', 'hard'].map(task => `[[tasks]]\nprepared_dir = "tasks/${task}"\nmodel = "${model}"\nrollouts = 1\n`),
  )
  .join('')

const openPage = pagesOfOneBrowser()
let made:
  | Promise<{ readonly cwd: string; readonly dir: string; nameOf(model: string, task: string): string }>
  | undefined

/** Made once: nothing here changes it. */
function benchmark() {
  made ??= makeBenchmark()
  return made
}

/** The large model works on the hard task for 1500 turns and prints what looks like a page; the small one masks, and gives up early. */
async function makeBenchmark() {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-turns-'))
  mkdirSync(join(cwd, 'configs'))
  writeFileSync(join(cwd, 'configs/bench.toml'), `name = "bench"\nparallel = 2\n${toml}`)
  const names = new Map<string, string>()
  const work = agentRun((model, task) => {
    const isHard = task.endsWith('hard')
    const isSmall = model === 'small'
    return {
      turns: isSmall ? 9 : isHard ? 1500 : 4,
      ...(isSmall && { keep: 3 }),
      ...(isSmall && !isHard && { summary: { after: 6, text: 'Six steps, <b>no</b> result.' } }),
      command: turn => (isSmall && turn >= 5 ? 'echo <i>stop</i>' : `echo ${turn}`),
      output: turn =>
        turn === 2
          ? `\u001b[31m<img src=x onerror=alert(1)>\u001b[0m\n${'line\n'.repeat(900_000)}the end`
          : `${turn}\n<script>alert(2)</script>`,
      exit_status: isSmall && isHard ? 'submitted (exit_cost)' : 'submitted',
      score: isSmall && isHard ? 0 : 1,
    }
  })
  const { dir } = await runRollouts({
    cwd,
    script: (run, context) => {
      names.set(`${String(run.params.model)} ${String(run.block.task)}`, run.name)
      return work(run, context)
    },
  })
  return { cwd, dir, nameOf: (model: string, task: string) => names.get(`${model} tasks/${task}`) ?? '' }
}

afterAll(async () => {
  if (made !== undefined) rmSync((await made).cwd, { recursive: true, force: true })
})

const runAddress = (source: string, run: string): string => `#/?${new URLSearchParams({ run: `${source}/${run}` })}`

const pairAddress = (source: string, runs: readonly string[]): string =>
  `#/?${new URLSearchParams(runs.map(run => ['runs', `${source}/${run}`]))}`

const turnsShown = (page: Page) =>
  expect.poll(() =>
    page
      .locator('.trajectory article')
      .evaluateAll(all => all.map((one: { dataset: { turn?: string } }) => Number(one.dataset.turn))),
  )

/** An agent's output is shown as text everywhere. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.locator('.trajectory :is(img, b, i, script)').count()).toBe(0)
}

describe.skipIf(reason !== null)(`trajectories in a browser${reason === null ? '' : `: ${reason}`}`, () => {
  it('are read turn by turn in a report that stays small', async () => {
    const { cwd, dir, nameOf } = await benchmark()
    await assay(['report', dir, '--output', 'report.html'], { cwd })
    expect(statSync(join(cwd, 'report.html')).size).toBeLessThan(1_000_000)
    const [source = ''] = readdirSync(join(dir, '..'))
    const address = pathToFileURL(join(cwd, 'report.html')).href
    const { page, complaints, asked } = await openPage(`${address}${runAddress(source, nameOf('small', 'hard'))}`)
    const trajectory = page.locator('.trajectory')
    for (const part of ['Endedsubmitted (exit_cost)', 'Contextmade (n 3)', 'Length9 turns', 'agent9'])
      await textOf(trajectory).toContain(part)
    await turnsShown(page).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    const third = trajectory.locator('[data-turn="3"]')
    await textOf(third.locator('.turn-head')).toBe(
      'Turn 3300 tokens in (180 cached)20 out (5 thinking)$0.003answered in 1.50 sran 0.250 s03:04:05',
    )
    await textOf(third.locator('.step-output .role')).toBe('outputhidden from turn 7 on: masked')
    await textOf(third.locator('.step-output pre')).toBe('3\n<script>alert(2)</script>')
    await textOf(trajectory.locator('[data-turn="9"] .prompt-text')).toBe(
      'The prompt had turns 1–5 with masked outputs and turns 6–8 in full.',
    )
    expect(await trajectory.locator('.context-map rect.in-masked').count()).toBe(5)

    // 4.5 MB of output are folded, cut, and without escapes.
    const flood = trajectory.locator('[data-turn="2"] .step-output')
    await textOf(flood.locator('pre')).toBe(`<img src=x onerror=alert(1)>${'\nline'.repeat(13)}`)
    await flood.getByRole('button', { name: /^Unfold: .* lines, 4,500,0\d\d characters$/ }).click()
    await textOf(flood.locator('.left-out')).toMatch(/… 4,49\d,\d+ characters are not on this page/)
    await textOf(flood.locator('pre')).toMatch(/line\nthe end$/)
    await expectHarmless(page)
    expect({ complaints, asked }).toEqual({ complaints: [], asked: [] })
  })

  it('are paged, and a report names omitted turns', async () => {
    const { cwd, dir, nameOf } = await benchmark()
    await assay(['report', dir, '--output', 'long.html'], { cwd })
    const [source = ''] = readdirSync(join(dir, '..'))
    const address = pathToFileURL(join(cwd, 'long.html')).href
    const { page, complaints } = await openPage(`${address}${runAddress(source, nameOf('large', 'hard'))}`)
    const trajectory = page.locator('.trajectory')
    await turnsShown(page).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
    await textOf(trajectory.locator('.turn-pager').first()).toContain('Turns 1–20 of 1,500')
    await trajectory.getByRole('button', { name: 'End' }).first().click()
    await turnsShown(page).toEqual(Array.from({ length: 20 }, (_, at) => at + 1481))
    await trajectory.getByLabel('Go to turn').first().fill('700')
    await trajectory.getByLabel('Go to turn').first().press('Enter')
    await textOf(trajectory.locator('.left-turns')).toBe(
      'Turns 700–719: there is no room for them on this page. The trajectory’s file has them.',
    )
    expect(complaints).toEqual([])
  })

  it('lie side by side from the turn where they diverge, chosen among the runs of the task', async () => {
    const { cwd, dir, nameOf } = await benchmark()
    await assay(['report', dir, '--output', 'pair.html'], { cwd })
    const [source = ''] = readdirSync(join(dir, '..'))
    const address = pathToFileURL(join(cwd, 'pair.html')).href
    const { page, complaints } = await openPage(`${address}${runAddress(source, nameOf('large', 'hard'))}`)
    const choice = page.getByLabel('Side by side with another run of this task')
    await expect.poll(() => choice.locator('option').allTextContents()).toEqual(['choose …', nameOf('small', 'hard')])
    await choice.selectOption({ label: nameOf('small', 'hard') })
    await expect
      .poll(() => page.locator('.divergence li').allTextContents())
      .toEqual([
        'They diverge at turn 5: until then both agents did the same.',
        'Their prompts had different parts of the history for the first time in turn 5.',
      ])
    const parted = page.locator('.pair-turn.parted')
    await expect.poll(() => parted.getAttribute('data-pair-turn')).toBe('5')
    await expect.poll(() => parted.locator('.step-call pre').allTextContents()).toEqual(['echo 5', 'echo <i>stop</i>'])
    await textOf(page.locator('.pair-turn[data-pair-turn="10"] [data-side="B"]')).toBe('B ended after turn 9.')
    await page.getByRole('button', { name: 'From the first turn' }).click()
    await expect.poll(() => page.locator('.pair-turn').first().getAttribute('data-pair-turn')).toBe('1')
    await expectHarmless(page)
    expect(complaints).toEqual([])
  })

  it('are fetched on demand in the dashboard, even late turns', async () => {
    const { cwd, dir, nameOf } = await benchmark()
    const { address } = await serveRoot(cwd, [join(dir, '..')])
    const [source = ''] = readdirSync(join(dir, '..'))
    const experiment = `${address}experiment?dir=${source}`
    const { page, complaints, asked } = await openPage(`${experiment}${runAddress(source, nameOf('large', 'hard'))}`)
    await turnsShown(page).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
    const go = page.locator('.trajectory').getByLabel('Go to turn').first()
    await go.fill('1490')
    await go.press('Enter')
    await turnsShown(page).toEqual(Array.from({ length: 11 }, (_, at) => at + 1490))
    await textOf(page.locator('[data-turn="1500"] .step-call pre')).toBe('echo 1500')
    expect(asked.filter(one => one.includes('/api/trajectory')).length).toBe(1)
    const pair = await openPage(
      `${experiment}${pairAddress(source, [nameOf('large', 'easy'), nameOf('small', 'easy')])}`,
    )
    await expect.poll(() => pair.page.locator('.pair-turn.parted').getAttribute('data-pair-turn')).toBe('5')
    await textOf(pair.page.locator('.turn-summary')).toContain('Six steps, <b>no</b> result.')
    await expectHarmless(pair.page)
    expect([...complaints, ...pair.complaints]).toEqual([])
  })

  it('fit a phone, alone and side by side, in dark mode', async () => {
    const { cwd, dir, nameOf } = await benchmark()
    await assay(['report', dir, '--output', 'small.html'], { cwd })
    const [source = ''] = readdirSync(join(dir, '..'))
    const address = pathToFileURL(join(cwd, 'small.html')).href
    const options = { width: 390, scheme: 'dark' } as const
    const alone = await openPage(`${address}${runAddress(source, nameOf('small', 'easy'))}`, options)
    await turnsShown(alone.page).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    await widthOf(alone.page).toBe(390)
    const both = await openPage(
      `${address}${pairAddress(source, [nameOf('small', 'easy'), nameOf('small', 'hard')])}`,
      options,
    )
    await expect.poll(() => both.page.locator('.pair-turn').count()).toBeGreaterThan(0)
    await widthOf(both.page).toBe(390)
    await toSection(both.page, 'agents')
    await widthOf(both.page).toBe(390)
  })

  it('have a section on agents, with a table, exits and curves', async () => {
    const { cwd, dir } = await benchmark()
    await assay(['report', dir, '--output', 'agents.html'], { cwd })
    const { page, complaints } = await openPage(pathToFileURL(join(cwd, 'agents.html')).href)
    await toSection(page, 'agents')
    const cells = (figure: string) => page.locator(`figure[data-figure="${figure}"] tbody tr`)
    await expect.poll(() => cells('agent-exits').allTextContents()).toEqual(['model=large220', 'model=small211'])
    await textOf(cells('agents').nth(1)).toMatch(/^model=small22100%50%\$0\.045/)
    await expect
      .poll(() => page.locator('.exit-bar').evaluateAll(all => all.map((bar: { title: string }) => bar.title)))
      .toEqual(['model=large: of 2, 2 submitted', 'model=small: of 2, 1 submitted, 1 exit_cost'])
    for (const id of ['agent-cost', 'agent-solve-rate', 'agent-cost-turns'])
      await expect.poll(() => page.locator(`figure[data-figure="${id}"] svg`).count()).toBeGreaterThan(0)
    // Each instance handed in something, so that its curve would be a flat line.
    expect(await page.locator('figure[data-figure="agent-submission-rate"]').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
