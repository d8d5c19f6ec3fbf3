import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../../src/cli/rollouts/evaluate.ts'
import { bindTarget } from '../../../src/define/target.ts'
import { everything } from '../../../src/plan/planner.ts'
import { folderWith } from '../../support/assay.ts'
import { runRollouts, type Script, scoring, task } from '../../support/rollouts.ts'
import { fakeIo } from '../fake-io.ts'

const toml = `name = "bench"
[[tasks]]
prepared_dir = "a"
rollouts = 2
[[tasks]]
prepared_dir = "b"
[assay.limits]
retries = 0
`
const stamp = '20250824__12-34-56'

/** `assay eval` with the stand-in target. */
async function evaluateWith(cwd: string, script: Script, { first = undefined as number | undefined } = {}) {
  const { dir, experiment } = await runRollouts({ cwd, script: scoring(() => 0.5), ...(first && { first }) })
  const io = fakeIo('eval', { cwd })
  const plan = { order: 'shuffled', seed: 1, selection: everything } as const
  const chosen = { ...bindTarget(task(script), experiment), definition: experiment, isGiven: false, dir, plan }
  const status = await evaluate(chosen, {}, io)
  return { status, stdout: io.stdout.text(), stderr: io.stderr.text(), name: basename(dir) }
}

describe('assay eval', () => {
  test('scores every finished run again, and shows progress and scores', async () => {
    const cwd = folderWith({ 'configs/bench.toml': toml })
    const { status, stdout } = await evaluateWith(
      cwd,
      scoring(() => 0.9),
    )
    expect(status).toBe(0)
    for (const index of [0, 1, 2])
      expect(stdout).toContain(`[eval] ${join(cwd, `data/runs/${stamp}-${index}`)} -> ok\n`)
    expect(stdout).toContain('- Unit tests average: 100% (n=3, scored=3, unscored=0, errored=0')
    expect(stdout).toContain('eval_manifest.json')
    expect(stdout).toContain('[rollouts] summary.md written: ')
  })

  test('names runs that could not be scored, and exits with 1', async () => {
    const cwd = folderWith({ 'configs/bench.toml': toml })
    const script = scoring(({ block }) => (block.task === 'b' ? null : 0.9))
    const { status, stdout } = await evaluateWith(cwd, script)
    expect(status).toBe(1)
    expect(stdout).toContain(`[eval] ${join(cwd, `data/runs/${stamp}-2`)} -> eval_failed: the sandbox did not start\n`)
    expect(stdout).toContain('- Unit tests average: 100% (n=3, scored=2, unscored=0, errored=1')
  })

  test('skips runs that have not finished', async () => {
    const cwd = folderWith({ 'configs/bench.toml': toml })
    const { status, stdout } = await evaluateWith(
      cwd,
      scoring(() => 0.9),
      { first: 1 },
    )
    expect(status).toBe(0)
    expect(stdout.match(/-> ok/g)).toHaveLength(1)
  })

  test('keeps a complete series complete: the next run starts another', async () => {
    const cwd = folderWith({ 'configs/bench.toml': toml })
    await evaluateWith(
      cwd,
      scoring(() => 0.9),
    )
    const { dir } = await runRollouts({ cwd, at: '2025-08-25T00:00:00Z' })
    expect(basename(dir)).toBe('20250825__00-00-00')
  })
})
