import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

it('a shortage of open files is an infrastructure error, and the next run succeeds', async () => {
  const cwd = folderWith({
    'experiment.yaml': `name: e
target: { kind: function, module: ./work.mjs }
factors: { n: [1, 2] }
order: listed
limits: { jobs: 1, retries: { infra_error: 0 } }
`,
    'work.mjs': `import { closeSync, openSync } from 'node:fs'
export default ({ n }) => {
  const opened = []
  try {
    while (n === 1) opened.push(openSync('work.mjs'))
  } finally {
    for (const one of opened) closeSync(one)
  }
  return { done: 1 }
}
`,
  })
  const within = ['/bin/sh', '-c', 'ulimit -n 200 && exec "$@"', 'sh']
  const ended = await startAssay(['run', '--json'], { cwd, within }).ended
  expect(summaryOf(ended)).toMatchObject({ completed: 1, infra_error: 1, failed: 0, attempts: 2 })
  const [attempt] = journalRows<{ message: string }>(
    join(cwd, 'results/e'),
    "SELECT facts ->> 'message' AS message FROM attempts WHERE outcome = 'infra_error'",
  )
  expect(attempt?.message).toContain('EMFILE')
})
