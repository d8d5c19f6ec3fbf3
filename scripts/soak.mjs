// npm run soak [-- --rounds 10 --busy 5 --timing tests/faults …]: repeats the tests, some rounds on a busy machine,
// and says which tests failed how often. A test that fails once in ten rounds is as broken as one that always fails.
//   --rounds n   how often; 10
//   --busy n     the number of rounds in which other processes keep every core busy; default: every second one
//   --timing     only the test files that deal with processes, browsers, servers and time
//   tests/…      only these files
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, busy: { type: 'string' }, timing: { type: 'boolean' } },
})
const rounds = wholeNumber('rounds', values.rounds ?? '10')
const busyRounds = wholeNumber('busy', values.busy ?? String(Math.floor(rounds / 2)))
const files = values.timing ? [...positionals, ...timingTests()] : positionals

const failures = new Map()
let failedRounds = 0
for (let round = 1; round <= rounds; round++) {
  const isBusy = isBusyRound(round)
  const { failed, passed, seconds, output } = await runTests(isBusy)
  if (failed.length > 0) failedRounds += 1
  for (const name of failed) failures.set(name, [...(failures.get(name) ?? []), round])
  const verdict = failed.length === 0 ? 'passed' : `${failed.length} FAILED`
  console.log(`round ${round} of ${rounds}, ${isBusy ? 'busy ' : 'quiet'}: ${verdict}, ${passed} passed, ${seconds} s`)
  if (failed.length > 0) console.log(output)
}
for (const [name, when] of failures)
  console.log(`failed in ${when.length} of ${rounds} rounds (${when.join(', ')}): ${name}`)
console.log(`soak: ${rounds - failedRounds} of ${rounds} rounds passed, ${busyRounds} of them on a busy machine`)
process.exitCode = failedRounds === 0 ? 0 : 1

function wholeNumber(name, text) {
  if (/^\d+$/.test(text)) return Number(text)
  console.error(`error: --${name}: expected a whole number, got "${text}"`)
  process.exit(2)
}

/** Spread evenly, so that a machine that slows down over time does not hit only one kind. */
function isBusyRound(round) {
  const before = Math.floor(((round - 1) * busyRounds) / rounds)
  return Math.floor((round * busyRounds) / rounds) > before
}

/** By their imports, so that no list has to be maintained. */
function timingTests() {
  const uses =
    /startAssay|assayProcess|serveRoot|pagesOfOneBrowser|node:child_process|node:worker_threads|expect\.poll|appeared\(/
  return globSync('tests/**/*.test.ts', { cwd: root }).filter(file => uses.test(readFileSync(join(root, file), 'utf8')))
}

async function runTests(isBusy) {
  const started = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'assay-soak-'))
  const load = isBusy ? Array.from({ length: availableParallelism() }, keepBusy) : []
  try {
    const counts = join(folder, 'counts.json')
    const reporter = join(root, 'scripts', 'count-reporter.mjs')
    const vitest = join(root, 'node_modules', '.bin', 'vitest')
    const { code, output } = await run(vitest, ['run', '--reporter=default', `--reporter=${reporter}`, ...files], {
      CHECK_COUNTS_FILE: counts,
    })
    const { passed, failures: names } = readCounts(counts)
    const failed = code !== 0 && names.length === 0 ? ['vitest itself'] : names
    return { failed, passed, output, seconds: Math.round((performance.now() - started) / 1000) }
  } finally {
    for (const child of load) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Ends by itself when this process exits, because its standard input is closed then. */
function keepBusy() {
  const spin = `process.stdin.resume().on('end', () => process.exit())
    const spin = () => { const end = Date.now() + 100; while (Date.now() < end); setImmediate(spin) }; spin()`
  return spawn(process.execPath, ['-e', spin], { stdio: ['pipe', 'ignore', 'ignore'] })
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failures: [] }
  }
}

async function run(program, args, env) {
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text))
  const [code] = await once(child, 'close')
  return { code: code ?? 1, output }
}
