import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, assayProcess, folderWith, summaryOf } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { prepared } from '../support/prepared.ts'
import { failingWrites, setControl } from './chaos/faults.ts'

const runs = 12

const finished = prepared(async () => {
  const cwd = folderWith({
    'program.sh': '#!/bin/sh\necho x >> started\necho \'{"m": 7, "cost_usd": 0.25}\' >> "$ASSAY_METRICS_FILE"\n',
    'e.yaml': `name: e
target: { kind: command, command: [./program.sh] }
seeds: 1..${runs}
limits: { budget_usd: 100, run_budget_usd: 1 }
metrics: { m: {} }
`,
  })
  expect((await assay(['run', 'e.yaml', '-q'], { cwd })).status).toBe(0)
  return cwd
})

const page = (file: string, number: number): void => {
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0, number * 4096, (number + 1) * 4096))
}

it.for([
  ['is gone', (file: string) => rmSync(file)],
  ['has lost a page', (file: string) => page(file, Math.floor(readFileSync(file).length / 8192))],
] as const)(
  'a repair of a journal that %s can be killed after any write, and repeated',
  async ([, damage], { skip }) => {
    const made = failingWrites(folderWith())
    if (typeof made === 'string') return skip(made)
    const writes = made
    /** It dies after that many writes; returns the number of writes if it did not. */
    async function repair(cwd: string, most: number): Promise<number | 'killed'> {
      setControl(writes.control, 12, [most])
      const env = { LD_PRELOAD: writes.library, FAILING_WRITES: writes.control }
      const { signal, status, stderr } = await assayProcess(['repair', 'results/e'], { cwd, env })
      if (signal === 'SIGKILL') return 'killed'
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      return most - readFileSync(writes.control).readInt32LE(12)
    }
    const broken = prepared(async () => {
      const cwd = await finished()
      rmSync(join(cwd, 'results/e/journal.db-wal'), { force: true })
      damage(join(cwd, 'results/e/journal.db'))
      return cwd
    })
    // The first one also fills Node's cache of compiled code.
    await repair(await broken(), 1_000_000)
    const all = Number(await repair(await broken(), 1_000_000))
    for (const share of [0, 0.2, 0.4, 0.6, 0.8]) {
      const cwd = await broken()
      expect(await repair(cwd, 1 + Math.floor(all * share))).toBe('killed')
      expect(await assay(['repair', 'results/e'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      const after = await assay(['run', 'e.yaml', '--json'], { cwd })
      expect({ share, ...summaryOf(after), stderr: after.stderr }).toMatchObject({ share, completed: runs })
      expect(linesOf(join(cwd, 'started'))).toHaveLength(runs)
      const dir = join(cwd, 'results/e')
      const [total] = journalRows<{ spent_usd: number }>(dir, 'SELECT spent_usd FROM experiment')
      expect(total?.spent_usd).toBeGreaterThanOrEqual(runs * 0.25 - 1e-9)
      const counted = "SELECT count(*) AS n FROM attempts WHERE outcome = 'completed' AND superseded = 0"
      expect(journalRows(dir, counted)).toEqual([{ n: runs }])
    }
  },
)
