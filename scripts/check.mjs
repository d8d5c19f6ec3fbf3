// Every check, one line each with its time; then the tests; then one line with the counts.
// A check counts like a test: "0 failed" means that no check and no test failed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = name => join(root, 'node_modules', '.bin', name)
const node = process.execPath

console.log(`assay: checking on Node ${process.versions.node}`)
const failedChecks = []
// Tests and some checks use the bundle. The other checks run beside the tests, which sometimes leave a core idle.
const build = check('build', node, 'scripts/build.mjs')
const others = [
  check('unused', bin('knip')),
  check('layers', node, 'scripts/layers.mjs'),
  // Beside the tests, so as little work as possible: two checkers would check shared types twice.
  check('types', bin('tsc'), '--noEmit', '--checkers', '1'),
  check('page', bin('tsc'), '--noEmit', '-p', 'web'),
  check('lint', bin('biome'), 'check', '.'),
  check('schema', node, 'scripts/schema.mjs', '--check'),
  check('docs', node, 'scripts/docs.mjs', '--check'),
]
await build()
const [tests] = await Promise.all([runTests(), oneByOne(others)])

for (const test of tests.skipped) console.log(`skipped  ${test.name}: ${test.reason}`)
const checks = 1 + others.length
const failed = tests.failed + failedChecks.length
if (failedChecks.length > 0) console.log(`failed checks: ${failedChecks.join(', ')}`)
console.log(
  `assay: ${tests.passed + checks - failedChecks.length} passed, ${failed} failed, ${tests.skipped.length} skipped`,
)
process.exitCode = failed === 0 ? 0 : 1

function check(name, program, ...args) {
  return async () => {
    const started = performance.now()
    // tsc and esbuild collect garbage less often: a third less work.
    const { code, output } = await run(program, args, 'pipe', { GOGC: '400' })
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(8)} ${seconds(started)}`)
    if (code === 0) return
    failedChecks.push(name)
    console.log(output.trim())
  }
}

async function runTests() {
  const started = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'assay-check-'))
  const counts = join(folder, 'counts.json')
  const reporter = join(root, 'scripts', 'count-reporter.mjs')
  const { code } = await run(bin('vitest'), ['run', '--reporter=default', `--reporter=${reporter}`], 'inherit', {
    // Not ASSAY_…: tests check the variables of runs with that prefix.
    CHECK_COUNTS_FILE: counts,
  })
  const tests = readCounts(counts)
  rmSync(folder, { recursive: true })
  // Vitest also fails for reasons outside of tests, such as an uncaught error.
  if (code !== 0 && tests.failed === 0) tests.failed = 1
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${'tests'.padEnd(8)} ${seconds(started)}`)
  return tests
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { passed: 0, failed: 1, skipped: [] }
  }
}

async function oneByOne(checks) {
  for (const next of checks) await next()
}

function run(program, args, output, env = {}) {
  return new Promise(resolve => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
    })
    let text = ''
    child.stdout?.on('data', chunk => (text += chunk))
    child.stderr?.on('data', chunk => (text += chunk))
    child.on('error', error => resolve({ code: 1, output: String(error) }))
    child.on('close', code => resolve({ code: code ?? 1, output: text }))
  })
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`
}
