import { expect, it } from 'vitest'
import { readTasks } from '../../../../src/targets/task/read-tasks.ts'
import { folderWith } from '../../../support/assay.ts'
import { problemsOf, sound } from './support.ts'

const instance = (more: Readonly<Record<string, unknown>> = {}) => ({
  instance_id: 'acme__tool-7',
  repo: 'acme/tool',
  base_commit: 'a'.repeat(40),
  patch: 'diff --git a/x b/x\n',
  test_patch: 'diff --git a/t b/t\n',
  problem_statement: 'It crashes\nwhen empty.',
  FAIL_TO_PASS: '["tests/test_x.py::test_empty"]',
  PASS_TO_PASS: ['tests/test_x.py::test_full'],
  version: '1.0',
  ...more,
})

const fileWith = (...lines: readonly unknown[]) =>
  `${folderWith({ 'set.jsonl': `${lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n` })}/set.jsonl`

it('reads one task from each line', () => {
  const file = fileWith(
    instance(),
    '',
    instance({ instance_id: 'acme__tool-8', FAIL_TO_PASS: [], PASS_TO_PASS: undefined }),
  )
  const [first, second] = [...readTasks(file)].map(sound)
  expect(first).toMatchObject({
    id: 'acme__tool-7',
    title: 'It crashes',
    format: 'swe-bench',
    steps: [
      {
        instruction: 'It crashes\nwhen empty.',
        tests: {
          kind: 'patch',
          failToPass: ['tests/test_x.py::test_empty'],
          passToPass: ['tests/test_x.py::test_full'],
        },
        solution: { kind: 'patch', patch: { text: 'diff --git a/x b/x\n' } },
      },
    ],
    environment: { repo: { kind: 'git', url: 'https://github.com/acme/tool', commit: 'a'.repeat(40) } },
  })
  expect(second?.id).toBe('acme__tool-8')
  expect(first?.digest).not.toBe(second?.digest)
})

it('finds the repository in a folder of clones, else says what is missing', () => {
  const file = fileWith(instance())
  const repos = folderWith({ 'acme__tool/.git/HEAD': 'ref: refs/heads/main\n' })
  const empty = folderWith()
  const needsWith = (folder?: string) => {
    const [task] = [...readTasks(file, folder === undefined ? {} : { repos: folder })].map(sound)
    return [task?.environment.repo?.kind, task?.needs.find(({ kind }) => kind === 'repository')?.what]
  }
  expect(needsWith(repos)).toEqual(['folder', undefined])
  expect(needsWith()).toEqual(['git', 'acme/tool at aaaaaaaaaaaa'])
  expect(needsWith(empty)).toEqual(['git', `acme/tool at aaaaaaaaaaaa, not found in ${empty}`])
})

it('selects one instance of a file by its id', () => {
  const file = fileWith(instance(), instance({ instance_id: 'b' }))
  expect([...readTasks(`${file}#b`)].map(({ id }) => id)).toEqual(['b'])
  expect(() => [...readTasks(`${file}#c`)]).toThrow('no instance is called "c"')
})

it('reports an error in a line and continues', () => {
  const tasks = [
    ...readTasks(
      fileWith(
        '{"instance_id": ',
        instance({ repo: '../../etc', base_commit: '--help' }),
        instance({ FAIL_TO_PASS: 'not json' }),
        instance(),
      ),
    ),
  ]
  expect(tasks.map(({ kind }) => kind)).toEqual(['broken', 'broken', 'broken', 'task'])
  expect(problemsOf(tasks[0])).toEqual([expect.stringContaining('set.jsonl:1  malformed JSON')])
  expect(tasks[1]).toMatchObject({
    problems: [
      'set.jsonl:2  repo: expected owner/name, got "../../etc"',
      'set.jsonl:2  base_commit: expected a commit, got "--help"',
    ],
  })
  expect(tasks[2]).toMatchObject({
    problems: ['set.jsonl:3  FAIL_TO_PASS: expected a list of tests, or one as JSON, got "not json"'],
  })
})
