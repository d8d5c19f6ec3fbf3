import { writeFileSync } from 'node:fs'

/** A vitest reporter for scripts/check.mjs and scripts/soak.mjs: how many passed, which failed, and why the others were skipped (vitest's JSON leaves that out). */
export default class CountReporter {
  onTestRunEnd(modules) {
    const counts = { passed: 0, failed: 0, failures: [], skipped: [] }
    for (const module of modules) {
      // A file that could not be loaded has no tests, and must not look like a passed one.
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0)
        fail(module.relativeModuleId, counts)
      for (const test of module.children.allTests()) count(test, module.relativeModuleId, counts)
    }
    writeFileSync(process.env.CHECK_COUNTS_FILE, JSON.stringify(counts))
  }
}

function count(test, file, counts) {
  const result = test.result()
  if (result.state === 'passed') counts.passed += 1
  else if (result.state === 'failed') fail(`${file} > ${test.fullName}`, counts)
  else counts.skipped.push({ name: test.fullName, reason: result.note ?? 'no reason given' })
}

function fail(name, counts) {
  counts.failed += 1
  counts.failures.push(name)
}
