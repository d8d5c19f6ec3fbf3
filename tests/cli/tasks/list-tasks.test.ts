import { expect, it } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { folderWith } from '../../support/assay.ts'
import { harbor, oneShot, terminalBench } from '../../targets/task/formats/support.ts'
import { fakeIo } from '../fake-io.ts'

const below = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))

const set = () =>
  folderWith({
    ...below(
      'tasks/alpha',
      harbor({ 'environment/Dockerfile': 'FROM debian:12\nRUN apt-get install -y jq && pip install x\n' }),
    ),
    ...below('tasks/beta', terminalBench()),
    ...below('tasks/gamma', oneShot()),
    ...below('tasks/omega', harbor({ 'task.toml': '[agent]\ntimeout_sec = -1\ntypo = 1\n', 'instruction.md': '' })),
  })

const list = async (words: string, cwd: string) => {
  const io = fakeIo(`tasks list ${words}`, { cwd })
  return { status: await runCli(io), stdout: io.stdout.text(), stderr: io.stderr.text() }
}

it('shows each task with its needs and problems', async () => {
  const { status, stdout } = await list('tasks', set())
  expect(status).toBe(1)
  expect(stdout).toMatchInlineSnapshot(`
    "task                   format          title             needs                    problems
    alpha                  harbor          alpha             debian:12, apt-get, pip
    beta                   terminal-bench  Write hello.txt.  python:3.12-slim
    greet_20250101_120000  oneshot         Greet             pytest
    omega                  harbor                                                     2 problems

    4 tasks: 2 harbor, 1 terminal-bench, 1 oneshot; 1 can't be run
    ✗ tasks/omega
        task.toml:2:15  agent.timeout_sec: expected seconds: a number above 0, got -1
        instruction.md: is empty: the agent would get no instruction
    "
  `)
})

it('exits 0 for valid tasks', async () => {
  expect(await list('tasks/alpha tasks/beta', set())).toMatchObject({ status: 0 })
})

it('shows each line with needs with -v', async () => {
  const { stdout } = await list('tasks/alpha -v', set())
  expect(stdout).toContain(
    '    needs apt-get install -y jq  (environment/Dockerfile:2)\n    needs pip install x  (environment/Dockerfile:2)',
  )
})

it('lists one format only', async () => {
  const { status, stdout } = await list('tasks --task-format oneshot --json', set())
  expect(status).toBe(0)
  expect(JSON.parse(stdout).tasks.map((task: { format: string }) => task.format)).toEqual(['oneshot'])
})

it('prints everything as JSON', async () => {
  const { status, stdout } = await list('tasks --json', set())
  expect(status).toBe(1)
  const { tasks, ...rest } = JSON.parse(stdout)
  expect(rest).toEqual({ kind: 'tasks', broken: 1, missing: [] })
  expect(tasks[0]).toMatchObject({
    id: 'alpha',
    dir: 'tasks/alpha',
    is_broken: false,
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    steps: [{ name: 'main', agent_timeout_sec: null, verifier_timeout_sec: 600, has_solution: false }],
    needs: [{ kind: 'image', what: 'debian:12', where: 'environment/Dockerfile:1' }, {}, {}],
  })
  expect(tasks[3]).toMatchObject({ id: 'omega', is_broken: true, problems: [{}, {}].map(() => expect.any(String)) })
})

it('reports tasks that are listed in the dataset and missing', async () => {
  const cwd = folderWith({
    ...below('tasks/alpha', harbor()),
    'tasks/dataset.toml':
      '[dataset]\nname = "acme/set"\n[[tasks]]\nname = "alpha"\ndigest = "sha256:00"\n[[tasks]]\nname = "gone"\n',
  })
  const { status, stdout } = await list('tasks', cwd)
  expect(status).toBe(1)
  expect(stdout).toContain('✗ dataset.toml lists "gone", which is not there')
})

it('prints no terminal escapes of tasks', async () => {
  const toml = '[task]\nname = "bad\\u001b[2Jname"\ndescription = "line\\u001b]0;title\\u0007"\n'
  const { stdout } = await list('task', folderWith(below('task', harbor({ 'task.toml': toml }))))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
})

it('explains what was expected if there is no task', async () => {
  const { status, stderr } = await list('.', folderWith({ 'readme.md': '' }))
  expect(status).toBe(2)
  expect(stderr).toContain('there is no task here')
})
