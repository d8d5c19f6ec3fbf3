import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
  [`tasks/${name}/task.toml`]: '',
  [`tasks/${name}/instruction.md`]: 'Make a file called done.\n',
  [`tasks/${name}/environment/Dockerfile`]: dockerfile,
  [`tasks/${name}/tests/test.sh`]: `#!/bin/sh\nif ${test}; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
  [`tasks/${name}/solution/solve.sh`]: `#!/bin/sh\n${solution}\n`,
})

it('names what is wrong with each task, and leaves nothing behind', async () => {
  await needsBubblewrap()
  const cwd = folderWith({
    ...task('fine'),
    ...task('unsolved', { solution: 'true' }),
    ...task('trivial', { test: 'true' }),
    // Boxes of this machine are told apart by their clocks alone.
    ...task('flaky', { test: 'test -e done && test $(($(date +%s%N) / 1000 % 2)) = 0' }),
    ...task('elsewhere', { dockerfile: 'FROM scratch\nWORKDIR /app\nRUN no-such-program\n' }),
    ...task('silent', { test: 'rm -rf /logs/verifier && exit 1' }),
  })
  const before = [readdirSync(cwd), readdirSync(tmpdir())]
  const args = ['tasks', 'check', 'tasks', '--sandbox', 'bubblewrap', '--rollouts', '12', '--json']
  const ended = await assay(args, { cwd })
  expect(ended.status, ended.stderr).toBe(1)
  const { tasks, wrong }: Checked = JSON.parse(ended.stdout)
  const problems = Object.fromEntries(tasks.map(one => [one.task, one.problems]))
  expect(problems).toEqual({
    'tasks/elsewhere': [expect.stringContaining('RUN no-such-program')],
    'tasks/fine': [],
    'tasks/flaky': [expect.stringMatching(/^flaky: its own solution passes \d+ of 12 times$/)],
    'tasks/silent': [expect.stringContaining('reward')],
    'tasks/trivial': ['doing nothing passes its tests'],
    'tasks/unsolved': ['its own solution does not pass its tests'],
  })
  expect(wrong).toBe(5)
  expect(tasks.find(one => one.task === 'tasks/fine')).toMatchObject({
    oracle: { passed: 12, scored: 12, runs: 12 },
    nop: { passed: 0, scored: 12, runs: 12 },
  })
  expect([readdirSync(cwd), readdirSync(tmpdir())]).toEqual(before)
})

it('shows a table, and exits 0 where all is well', async () => {
  await needsBubblewrap()
  const cwd = folderWith(task('fine'))
  const ended = await assay(['tasks', 'check', 'tasks/fine', '--sandbox', 'bubblewrap'], { cwd })
  expect(ended.status, ended.stderr).toBe(0)
  expect(ended.stdout).toMatch(/tasks\/fine\s+1 of 1\s+0 of 1\s+ok/)
  expect(ended.stdout).toContain('1 task, all fine')
})

it.each([
  ['a broken task', { 'tasks/fine/task.toml': 'agent = 3\n' }, 'tasks', 'agent'],
  ['a folder without tasks', {}, 'environment', 'environment'],
])('refuses %s before anything runs', async (_, files, path, complaint) => {
  const cwd = folderWith({ ...task('fine'), ...files, 'environment/a.txt': '' })
  const ended = await assay(['tasks', 'check', path, '--sandbox', 'bubblewrap'], { cwd })
  expect(ended.status).toBe(2)
  expect(ended.stderr).toContain(complaint)
  expect(ended.stdout).toBe('')
})
