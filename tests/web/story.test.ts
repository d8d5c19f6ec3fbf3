import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { browserProgram } from '../../bench/browser.ts'
import { assay } from '../support/assay.ts'
import { pagesOfOneBrowser, textOf, toSection, widthOf } from '../support/browser.ts'
import { serveRoot } from '../support/dashboard.ts'
import { branchExperiment, harbour, harbourExperiment } from '../support/story.ts'
import { aDecision, aTurn, storyFiles } from '../support/story-records.ts'

const reason = (await browserProgram()) === null ? 'there is no Chromium here, neither Debian’s nor npm’s' : null

const openPage = pagesOfOneBrowser()
let made: Promise<Made> | undefined

interface Made {
  readonly cwd: string
  readonly page: string
  runOf(experiment: string, port: string, replicate: number): string
}

/** Made once: nothing here changes it. */
function batch(): Promise<Made> {
  made ??= makeBatch()
  return made
}

/** Four runs, four branches of the first of them, and in place of one run a story of 1060 turns with megabytes in it. */
async function makeBatch(): Promise<Made> {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-story-'))
  const write = (files: { readonly [path: string]: string }, folder = cwd): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
  }
  const runOf = (experiment: string, port: string, replicate: number): string =>
    readdirSync(join(cwd, 'results', experiment, 'runs')).find(name =>
      name.includes(`sim-${port}_replicate-${replicate}_`),
    ) ?? ''
  write({ ...harbour, 'dues.yaml': harbourExperiment })
  await assay(['run', 'dues.yaml', '-q'], { cwd })
  write({ 'branch.yaml': branchExperiment(runOf('dues', 'firm', 1)) })
  await assay(['run', 'branch.yaml', '-q'], { cwd })
  const flood = `<script>alert(2)</script>\u001b[31m${'word\n'.repeat(600_000)}the end`
  const long = Array.from({ length: 1060 }, (_, at) =>
    aTurn(at + 1, at === 1 ? { decisions: [aDecision('port', flood)] } : {}),
  )
  const place = join(cwd, 'results/dues/runs', runOf('dues', 'firm', 2))
  write(storyFiles(long), place)
  writeFileSync(join(place, 'turns/004.json'), '<b>no</b>')
  rmSync(join(place, 'turns/1050.json'))
  await assay(['report', 'results/dues', 'results/branch', '--output', 'report.html'], { cwd })
  return { cwd, page: pathToFileURL(join(cwd, 'report.html')).href, runOf }
}

afterAll(async () => {
  if (made !== undefined) rmSync((await made).cwd, { recursive: true, force: true })
})

const runAddress = (...id: readonly string[]): string => `#/?${new URLSearchParams({ run: id.join('/') })}`

const pairAddress = (...ids: readonly (readonly string[])[]): string =>
  `#/?${new URLSearchParams(ids.map(id => ['runs', id.join('/')]))}`

const turnsShown = (page: Page) =>
  expect.poll(() =>
    page
      .locator('.story article')
      .evaluateAll(all => all.map((one: { dataset: { turn?: string } }) => Number(one.dataset.turn))),
  )

/** An actor's words are shown as text everywhere. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.locator('.story :is(img, b, i, script)').count()).toBe(0)
}

const count = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at)

describe.skipIf(reason !== null)(`stories in a browser${reason === null ? '' : `: ${reason}`}`, () => {
  it('tell a run turn by turn in a report that stays small', async () => {
    const { cwd, page: address, runOf } = await batch()
    expect(statSync(join(cwd, 'report.html')).size).toBeLessThan(1_000_000)
    const { page, complaints, asked } = await openPage(`${address}${runAddress('dues', runOf('dues', 'soft', 1))}`)
    const story = page.locator('.story')
    await turnsShown(page).toEqual([1, 2, 3, 4])
    for (const part of [
      'ScenarioHarbour dues',
      'Endedreached its end; a success',
      'Port (sim/soft), Carrier',
      '46 calls',
    ])
      await textOf(story.locator('.facts')).toContain(part)
    await expect
      .poll(() => story.locator('.overview tbody tr').allTextContents())
      .toEqual([
        expect.stringMatching(/^1\d+no11\$0/),
        expect.anything(),
        expect.anything(),
        expect.stringMatching(/^4\d+yes15\$0/),
      ])

    const parts = (turn: number) => story.locator(`[data-turn="${turn}"] .story-part`).allTextContents()
    expect(await parts(1)).toEqual([
      'In privatePort to CarrierPay 120. <img src=x onerror=alert(1)> <b>bold</b>redCarrier answers90 at most.',
      'DecisionsPortKeep dues at 100 in month 1.Goals and reasoningReasoningMonth 1.Goals in this turnDues.Goals in the endA new quay.CarrierPay what is asked.Goals and reasoningReasoningCheap is good.TownWait.',
      'The world after itThe quay crumbles. Month 1.Key changesNone.ConsequencesFewer ships.',
    ])
    expect((await parts(2))[0]).toBe('EventsstormA storm damages the quay.')
    expect((await parts(4))[0]).toBe(
      'CoalitionsCarrier proposes a coalition of Carrier, Port, TownformedA fund for the quay.Port acceptsIt is time.Town acceptsFor the quay.Port to the membersWelcome.Carrier to the membersWe share the costs.Town to the membersThe town joins.',
    )
    await textOf(story.locator('[data-turn="3"] .story-metrics')).toMatch(/^Metricstrust\d\+\dagreementyeswas no$/)
    await textOf(story.locator('[data-turn="4"] .turn-head')).toMatch(
      /^Turn 415 calls[\d,]+ tokens in\d+ out\$0\.\d+ at list price$/,
    )
    // The calls say the same at length, and are folded.
    await expect.poll(() => page.locator('dialog details.test summary').textContent()).toBe('Model calls (46)')
    await expectHarmless(page)
    expect({ complaints, asked }).toEqual({ complaints: [], asked: [] })
  })

  it('are cut and paged if long, and name omissions', async () => {
    const { page: address, runOf } = await batch()
    const { page, complaints } = await openPage(`${address}${runAddress('dues', runOf('dues', 'firm', 2))}`)
    const story = page.locator('.story')
    await turnsShown(page).toEqual([1, 2, 3, ...count(5, 20)])
    await textOf(story.locator('.left-turns')).toMatch(/^turn 4 can’t be shown: turns\/004\.json is not valid JSON/)
    const flood = story.locator('[data-turn="2"] .decision')
    await textOf(flood.locator('pre')).toBe(`<script>alert(2)</script>word${'\nword'.repeat(13)}`)
    await flood.getByRole('button', { name: /^Unfold: .* lines, 3,000,0\d\d characters$/ }).click()
    await textOf(flood.locator('.left-out')).toMatch(
      /… 2,99\d,\d+ characters are not on this page: turns\/002\.json has them/,
    )
    await textOf(flood.locator('pre')).toMatch(/word\nthe end$/)
    // A number in the table leads to its turn.
    await story.locator('.overview > summary').click()
    await story.locator('.overview').getByRole('button', { name: '45', exact: true }).click()
    await turnsShown(page).toEqual(count(41, 60))
    await expect
      .poll(() =>
        story
          .locator('[data-turn="45"]')
          .evaluate((one: { getBoundingClientRect(): { top: number } }) => one.getBoundingClientRect().top),
      )
      .toBeLessThan(400)
    await expectHarmless(page)
    expect(complaints).toEqual([])
  })

  it('lie side by side from the turn where they diverge, and mark what differs', async () => {
    const { page: address, runOf } = await batch()
    const [firm, soft] = [runOf('dues', 'firm', 1), runOf('dues', 'soft', 1)]
    const { page, complaints } = await openPage(`${address}${runAddress('dues', firm)}`)
    await page.getByLabel('Side by side with another run of this scenario').selectOption({ label: soft })
    await expect
      .poll(() => page.locator('.divergence li').allTextContents())
      .toEqual([
        'Played by other models: Port (A sim/firm, B sim/soft).',
        'They diverge at turn 3, and are the same until then. The first difference is in the decisions of Port.',
        expect.stringMatching(/^Their metrics differ for the first time after turn 3: trust is \d in A and \d in B\.$/),
      ])
    const parted = page.locator('.pair-turn.parted')
    await expect.poll(() => parted.getAttribute('data-pair-turn')).toBe('3')
    // Before the curves of the same metrics, which fill pages.
    await expect.poll(() => page.locator('dialog .story ~ figure').count()).toBeGreaterThan(1)
    expect(await page.locator('dialog figure ~ .story').count()).toBe(0)
    await expect
      .poll(() => parted.locator('.differs > pre').allTextContents())
      .toEqual([
        'Keep dues at 100 in month 3.',
        'The quay crumbles. Month 3.',
        'Lower dues to 80 in month 3.',
        'Ships come back. Month 3.',
      ])
    expect(await page.locator('.pair-turn[data-pair-turn="2"] .differs').count()).toBe(0)
    await page.getByRole('button', { name: 'From the first turn' }).click()
    await expect.poll(() => page.locator('.pair-turn').first().getAttribute('data-pair-turn')).toBe('1')
    await expectHarmless(page)
    expect(complaints).toEqual([])
  })

  it('lead from a branch to its trunk and back', async () => {
    const { cwd, page: address, runOf } = await batch()
    const [trunk, branch] = [runOf('dues', 'firm', 1), runOf('branch', 'soft', 1)]
    const { page, complaints } = await openPage(`${address}${runAddress('branch', branch)}`)
    await textOf(page.locator('.branch')).toBe(
      `A branch of results/dues/runs/${trunk}: turns 1–2 are that run’s, and from turn 3 on it goes its own way. Side by side with its trunk`,
    )
    await expect
      .poll(() => page.locator('.story-turn .mark-warning').allTextContents())
      .toEqual(['of the trunk', 'of the trunk'])
    await page.getByRole('button', { name: 'Side by side with its trunk' }).click()
    await textOf(page.locator('.divergence li').first()).toContain('Turns 1 to 2 are one and the same history')
    await expect.poll(() => page.locator('.pair-turn.parted').getAttribute('data-pair-turn')).toBe('3')
    const back = await openPage(`${address}${runAddress('dues', trunk)}`)
    const branches = readdirSync(join(cwd, 'results/branch/runs'))
    await expect
      .poll(() => back.page.locator('.branch li').allTextContents())
      .toEqual(
        branches.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).map(name => `${name} from turn 3 on`),
      )
    expect([...complaints, ...back.complaints]).toEqual([])
  })

  it('are fetched on demand in the dashboard', async () => {
    const { cwd, runOf } = await batch()
    const { address } = await serveRoot(cwd)
    const experiment = `${address}experiment?dir=dues`
    const { page, complaints, asked } = await openPage(`${experiment}${runAddress('dues', runOf('dues', 'firm', 2))}`)
    await turnsShown(page).toEqual([1, 2, 3, ...count(5, 20)])
    await page.locator('.story').getByRole('button', { name: 'End' }).first().click()
    await turnsShown(page).toEqual([...count(1041, 1049), ...count(1051, 1060)])
    await textOf(page.locator('.left-turns')).toMatch(/^turn 1050 can’t be shown: turns\/1050\.json is missing/)
    expect(asked.filter(one => one.includes('/api/story')).length).toBe(1)
    const both = [runOf('dues', 'firm', 1), runOf('dues', 'soft', 1)].map(run => ['dues', run])
    const pair = await openPage(`${experiment}${pairAddress(...both)}`)
    await expect.poll(() => pair.page.locator('.pair-turn.parted').getAttribute('data-pair-turn')).toBe('3')
    await expectHarmless(pair.page)
    expect([...complaints, ...pair.complaints]).toEqual([])
  })

  it('fit a phone, alone and side by side, in dark mode', async () => {
    const { page: address, runOf } = await batch()
    const options = { width: 390, scheme: 'dark' } as const
    const alone = await openPage(`${address}${runAddress('dues', runOf('dues', 'soft', 1))}`, options)
    await turnsShown(alone.page).toEqual([1, 2, 3, 4])
    await widthOf(alone.page).toBe(390)
    const both = [runOf('dues', 'firm', 2), runOf('dues', 'soft', 1)].map(run => ['dues', run])
    const pair = await openPage(`${address}${pairAddress(...both)}`, options)
    await expect.poll(() => pair.page.locator('.pair-turn').count()).toBeGreaterThan(0)
    await widthOf(pair.page).toBe(390)
    // Words of its tables are whole: the tables scroll.
    const words = await pair.page.evaluate<{ word: string; lines: number }[]>(`
      [...document.querySelectorAll('table.pair tbody :is(th, td)')].flatMap(cell => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
        const found = []
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
          for (const { 0: word, index } of node.textContent.matchAll(/[\\p{L}\\p{N}]+/gu)) {
            const range = document.createRange()
            range.setStart(node, index)
            range.setEnd(node, index + word.length)
            found.push({ word, lines: range.getClientRects().length })
          }
        return found
      })`)
    expect(words.length).toBeGreaterThan(10)
    expect(words.filter(({ word, lines }) => lines > 1 && word.length < 30)).toEqual([])
  })

  it('have curves over turns, and a verdict with its histories', async () => {
    const { cwd } = await batch()
    await assay(['report', 'results/branch', '--output', 'branch.html'], { cwd })
    const { page, complaints } = await openPage(pathToFileURL(join(cwd, 'branch.html')).href)
    await textOf(page.locator('#verdict')).toContain('the result holds for that history')
    await toSection(page, 'curves')
    const curves = page.locator('figure[data-figure="curves"]')
    await textOf(curves).toContain('agreement over turns')
    await textOf(curves).toContain('Only the turns that all runs of an arm reached are averaged.')
    await page.locator('#curves').getByLabel('Series').selectOption('cost_usd')
    await textOf(page.locator('figure[data-figure="curves"]')).toContain('cost_usd over calls')
    expect(complaints).toEqual([])
  })
})
