// Takes docs/images/dashboard.png: a running experiment in the dashboard, as a browser shows it.
//   node scripts/build.mjs --if-changed && node scripts/dashboard-picture.mjs
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startBrowser } from '../bench/browser.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'assay-picture-'))

const files = {
  'train.mjs': `import { appendFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
const report = values => appendFileSync(process.env.ASSAY_METRICS_FILE, JSON.stringify(values) + '\\n')
const [rate, seed] = process.argv.slice(2).map(Number)
for (let step = 1; step <= 20; step++) {
  await setTimeout(700)
  const accuracy = 1 - Math.exp(-step * rate) * (0.9 + 0.08 * Math.sin(seed + step))
  report({ step, accuracy, loss: (1 - accuracy) * (1.1 + 0.1 * Math.sin(3 * seed + 2 * step)) })
}
report({ cost_usd: 0.1 })
`,
  'experiment.yaml': `name: training
description: Which learning rate gets furthest in twenty steps.
target: { kind: command, command: [node, train.mjs, "{lr}", "{seed}"] }
factors: { lr: [0.1, 0.3, 1] }
seeds: 1..6
metrics:
  accuracy: { goal: maximize, primary: true }
  loss: { goal: minimize }
limits: { jobs: 3, budget_usd: 5, run_budget_usd: 0.2 }
`,
}

const started = []
const start = args => {
  const child = spawn(process.execPath, [join(root, 'bin/assay.mjs'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  return child
}

try {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  mkdirSync(join(folder, 'results'))
  start(['run', '-q'])
  const served = start(['serve', 'results', '--port', '0', '--json'])
  let said = ''
  served.stdout.on('data', chunk => {
    said += chunk
  })
  while (!said.includes('}\n')) await once(served.stdout, 'data')
  const browser = await startBrowser()
  const page = await browser.newPage({ viewport: { width: 1200, height: 1000 }, colorScheme: 'light' })
  page.setDefaultTimeout(120_000)
  await page.goto(JSON.parse(said).url)
  await page.getByRole('link', { name: 'training' }).click()
  await page.getByText(/^9 of 18 completed/).waitFor()
  // The shown runs are well in progress.
  const reporting = async () =>
    (((await page.locator('body').textContent()) ?? '').match(/accuracy\s*0\.[3-9]/g) ?? []).length
  while ((await reporting()) < 3) await page.waitForTimeout(200)
  await page.screenshot({ path: join(root, 'docs/images/dashboard.png') })
  await browser.close()
} finally {
  for (const child of started) child.kill()
  await Promise.all(started.map(child => child.exitCode ?? child.signalCode ?? once(child, 'exit')))
  rmSync(folder, { recursive: true, force: true })
}
