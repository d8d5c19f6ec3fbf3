import { writeFileSync } from 'node:fs'

/** A vitest reporter for scripts/check.mjs: how many passed and failed, and why the others were skipped (vitest's JSON leaves that out). */
export default class CountReporter {
  onTestRunEnd(modules) {
    const counts = { passed: 0, failed: 0, skipped: [] }
    for (const module of modules) {
      // A file that could not even be loaded has no tests, and must not look like one without failures.
      if (module.state() === 'failed' && [...module.children.allTests()].length === 0) counts.failed += 1
      for (const test of module.children.allTests()) count(test, counts)
    }
    writeFileSync(process.env.CHECK_COUNTS_FILE, JSON.stringify(counts))
  }
}

function count(test, counts) {
  const result = test.result()
  if (result.state === 'passed') counts.passed += 1
  else if (result.state === 'failed') counts.failed += 1
  else counts.skipped.push({ name: test.fullName, reason: result.note ?? 'no reason given' })
}
