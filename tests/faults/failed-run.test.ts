import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'
import { simulator, smokeJson } from '../support/matrix-json.ts'
import { expectAddsUp } from '../support/summary.ts'

/** Fails after it has written everything: the original took its summary.csv for success, and exited 0. */
const failing = `${simulator}
echo "$ASSAY_RUN_ID" >> started
if [ "$seed" = 2 ] && [ ! -e mended ]; then echo "the disk is on fire" >&2; exit 7; fi
`
const seed2 = 4

it('reports a run that exits 7 after writing its summary, keeps it failed with --resume, and repeats it with --retry-failed', async () => {
  const cwd = folderWith({ 'build/agent_sched_sim': failing, 'bench/experiments/default.json': smokeJson })
  const first = await assay(['run', '--jobs', '2'], { cwd })
  expect(first.status).toBe(1)
  expect(first.stderr.match(/\[FAIL\] \S+__seed2__\S+ exit_code=7 \(\d\/8\)/g)).toHaveLength(seed2)
  expect(first.stdout).toContain('failures=4')
  expect(first.stdout).toMatch(/- 4 runs: exit_code=7 {2}the disk is on fire {2}\(e\.g\. \S+__seed2__\S+\)/)
  expect(first.stdout.trimEnd().split('\n').at(-1)).toBe('assay run --jobs 2 --retry-failed')
  expect(linesOf(join(cwd, 'started'))).toHaveLength(8)

  const resumed = await assay(['run', '--jobs', '2', '--resume', '--json'], { cwd })
  expect(resumed.status).toBe(1)
  expect(summaryOf(resumed)).toMatchObject({ planned: 8, completed: 4, failed: seed2, reused: 4, attempts: 8 })
  expectAddsUp(summaryOf(resumed))
  expect(linesOf(join(cwd, 'started'))).toHaveLength(8)

  writeFileSync(join(cwd, 'mended'), '')
  const retried = await assay(['run', '--jobs', '2', '--retry-failed', '--json'], { cwd })
  expect(retried.status).toBe(0)
  expect(summaryOf(retried)).toMatchObject({ completed: 8, failed: 0, reused: 4, attempts: 12 })
  expectAddsUp(summaryOf(retried))
})
