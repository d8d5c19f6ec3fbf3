import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { assay, folderWith } from '../../support/assay.ts'
import { needsBubblewrap } from '../../targets/task/support.ts'

interface Checked {
  readonly tasks: readonly {
    readonly task: string
    readonly oracle: Record<string, number>
    readonly nop: Record<string, number>
    readonly problems: readonly string[]
  }[]
  readonly wrong: number
}

/** A Harbor task below tasks/. */
const task = (
  name: string,
  { test = 'test -e done', solution = 'touch done', dockerfile = 'FROM scratch\nWORKDIR /app\n' } = {},
): Readonly<Record<string, string>> => ({
  [`tasks/${name}/task.toml`]: 'version = "1.0"\n',
  [`tasks/${name}/instruction.md`]: 'Make a file called done.\n',
  [`tasks/${name}/environment/Dockerfile`]: dockerfile,
  [`tasks/${name}/tests/test.sh`]: `#!/bin/sh\nif ${test}; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
  [`tasks/${name}/solution/solve.sh`]: `#!/bin/sh\n${solution}\n`,
})

it('reports the problems of each task, and leaves nothing behind', async () => {
  await needsBubblewrap()
  const cwd = folderWith({
    ...task('fine'),
    ...task('unsolved', { solution: 'true' }),
    ...task('trivial', { test: 'true' }),
    ...task('elsewhere', { dockerfile: 'FROM scratch\nWORKDIR /app\nRUN no-such-program\n' }),
    ...task('silent', { test: 'exit 1' }),
    'tasks/broken/task.toml': 'agent = 3\n',
  })
  const TMPDIR = folderWith()
  const args = ['tasks', 'check', 'tasks', '--sandbox', 'bubblewrap', '--rollouts', '2', '--json']
  const ended = await assay(args, { cwd, env: { TMPDIR } })
  expect(ended.status, ended.stderr).toBe(1)
  const { tasks, wrong }: Checked = JSON.parse(ended.stdout)
  const problems = Object.fromEntries(tasks.map(one => [one.task, one.problems]))
  expect(problems).toEqual({
    'tasks/broken': [expect.stringContaining('agent'), 'instruction.md: is missing', 'tests/test.sh: is missing'],
    'tasks/elsewhere': [expect.stringContaining('RUN no-such-program')],
    'tasks/fine': [],
    'tasks/silent': [expect.stringContaining('reward')],
    'tasks/trivial': ['doing nothing passes its tests'],
    'tasks/unsolved': ['its own solution does not pass its tests'],
  })
  expect(wrong).toBe(5)
  expect(tasks.find(one => one.task === 'tasks/fine')).toMatchObject({
    oracle: { passed: 2, scored: 2, runs: 2 },
    nop: { passed: 0, scored: 2, runs: 2 },
  })
  expect([readdirSync(cwd), readdirSync(TMPDIR)]).toEqual([['tasks'], []])
})

it('repeats to find tests that pass at random', async () => {
  await needsBubblewrap()
  const cwd = folderWith(task('flaky', { test: 'test -e done && test $(od -An -N1 -tu1 /dev/urandom) -lt 128' }))
  // Heads or tails 16 times: all alike once in 32,768.
  const args = ['tasks', 'check', 'tasks', '--sandbox', 'bubblewrap', '--rollouts', '16']
  const ended = await assay(args, { cwd })
  expect(ended.status, ended.stderr).toBe(1)
  expect(ended.stdout).toMatch(/flaky: its own solution passes \d+ of 16 times/)
})

it('shows a table, and exits 0 without problems', async () => {
  await needsBubblewrap()
  const cwd = folderWith(task('fine'))
  const ended = await assay(['tasks', 'check', 'tasks/fine', '--sandbox', 'bubblewrap'], { cwd })
  expect(ended.status, ended.stderr).toBe(0)
  expect(ended.stdout).toMatch(/tasks\/fine\s+1 of 1\s+0 of 1\s+ok/)
  expect(ended.stdout).toContain('1 task: all fine')
})

it('reports a folder without tasks', async () => {
  const cwd = folderWith({ 'environment/a.txt': '' })
  const ended = await assay(['tasks', 'check', 'environment', '--sandbox', 'bubblewrap'], { cwd })
  expect(ended.status).toBe(2)
  expect(ended.stderr).toContain('there is no task here')
})
