// Takes docs/images/report.png: the top of the quickstart's report, as a browser shows it.
//   node scripts/build.mjs --if-changed && node scripts/report-picture.mjs
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startBrowser } from '../bench/browser.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'assay-picture-'))

try {
  for (const file of ['experiment.yaml', 'queue.mjs'])
    cpSync(join(root, 'examples/quickstart', file), join(folder, file))
  for (const args of [
    ['run', '-q'],
    ['report', 'results/quickstart'],
  ])
    execFileSync(process.execPath, [join(root, 'bin/assay.mjs'), ...args], { cwd: folder, stdio: 'ignore' })
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 1200, height: 1000 }, colorScheme: 'light' })
  await page.goto(pathToFileURL(join(folder, 'results/quickstart/report/index.html')).href)
  await page.waitForSelector('figure[data-figure="differences"] svg')
  await page.screenshot({ path: join(root, 'docs/images/report.png') })
  await browser.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
