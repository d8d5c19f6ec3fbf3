import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { browserProgram, startBrowser } from '../browser.ts'
import { runLargeExperiment } from '../large-experiment.ts'
import { alternate, assay, inTemporaryFolder, measure } from '../measure.ts'
import type { Bench, Row } from '../row.ts'

/** 5 × 4 variants on 500 seeds with eight random numbers each, which compress badly. */
const work = `export default ({ model, size }, { seed, report }) => {
  let state = (model * 7919 + size * 104729 + seed * 1299709) | 0
  const random = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return (((mixed ^ (mixed >>> 14)) >>> 0) + (Math.imul(mixed, 2654435761) >>> 0) / 2 ** 32) / 2 ** 32
  }
  report('cost_usd', 0.01 * model + 0.001 * random())
  if (random() < 0.05) throw new RangeError('too large')
  const metrics = { score: random() + 0.05 * model - 0.02 * size }
  for (let at = 1; at < 6; at++) metrics['m' + at] = random() * at
  return metrics
}
`

/** The report of ten thousand runs: time to create, size, and time to open. */
export const reportBench: Bench = {
  name: 'report',
  run: () =>
    inTemporaryFolder(async folder => {
      await runLargeExperiment(folder, work)
      const { seconds } = await alternate(3, {
        seconds: async () =>
          (await measure([process.execPath, assay, 'report', 'results/large'], { cwd: folder })).seconds,
      })
      const file = join(folder, 'results/large/report/index.html')
      const megabytes = statSync(file).size / 1e6
      return [
        {
          work: '`report` of 10,000 runs × 8 numbers',
          result: `${seconds.toFixed(2)} s`,
          mustReach: '< 5 s',
          isReached: seconds < 5,
        },
        {
          work: 'its size',
          result: `${megabytes.toFixed(2)} MB`,
          mustReach: '≤ 2 MB',
          isReached: megabytes <= 2,
        },
        await opening(pathToFileURL(file).href),
      ]
    }),
}

/** From the start of loading until controls, verdict and the first charts are shown. */
async function opening(address: string): Promise<Row> {
  const work = 'its opening in Chromium, until it can be used'
  if ((await browserProgram()) === null)
    return { work, result: 'no Chromium here', mustReach: '< 1.5 s', isReached: null }
  const browser = await startBrowser()
  try {
    const { ms } = await alternate(3, {
      ms: async () => {
        const page = await browser.newPage()
        await page.goto(address, { waitUntil: 'commit' })
        await page.waitForSelector('.bar')
        await page.waitForSelector('.figure svg')
        const now = await page.evaluate('performance.now()')
        await page.close()
        return Number(now)
      },
    })
    return { work, result: `${(ms / 1000).toFixed(2)} s`, mustReach: '< 1.5 s', isReached: ms < 1500 }
  } finally {
    await browser.close()
  }
}
