import { expect, test } from 'vitest'
import type { Experiment } from '../../../src/define/experiment.ts'
import { checkCommand } from '../../../src/targets/command/check.ts'
import { experimentWith, programs } from '../../perform/support.ts'

const check = (command: string[], more: Partial<Experiment> = {}) =>
  checkCommand({ kind: 'command', command }, experimentWith({ kind: 'command' }, more))

test('accepts a valid command', () => {
  const more: Partial<Experiment> = {
    params: { optimizer: { lr: 1 } },
    factors: [{ name: 'policy', levels: ['a'], when: null }],
    zip: [[{ name: 'zipped', levels: [1], when: null }]],
    include: [{ extra: 1, listed: [{ deep: 1 }, { deep: 2 }] }],
    ablations: [{ name: 'off', flags: [], set: { hedging: false } }],
    blocks: [{ name: 'task', levels: [{ file: 'a' }] }],
  }
  const names = [
    'policy',
    'optimizer.lr',
    'zipped',
    'extra',
    'listed.deep',
    'hedging',
    'task',
    'task.file',
    'seed',
    'flags',
    'out_dir',
  ]
  expect(check(['./prints.sh', ...names.map(name => `{${name}}`), '{{literal}}'], more)).toEqual([])
})

test('names an unknown placeholder with the nearest known one', () => {
  const factors = [{ name: 'policy', levels: ['a'], when: null }]
  expect(check(['./prints.sh', '--policy', '{polcy}'], { factors })).toMatchObject([
    {
      path: ['target', 'command', 2],
      message: '{polcy} is neither a parameter nor a block of this experiment',
      hint: expect.stringContaining('did you mean {policy}?'),
    },
  ])
})

test('a missing program', () => {
  expect(check(['./sim'])).toMatchObject([
    { path: ['target', 'command', 0], message: `program "./sim" was not found in ${programs} or ${process.cwd()}` },
  ])
})

test('a program that is not executable', () => {
  expect(check(['./README.md'])).toMatchObject([
    { message: 'program "./README.md" is not executable', hint: `run: chmod +x ${programs}/README.md` },
  ])
})

test('a name that is not on the PATH, but beside the configuration file', () => {
  expect(check(['prints.sh'])).toMatchObject([
    {
      message: 'program "prints.sh" was not found on the PATH',
      hint: 'there is one beside the configuration file: write ./prints.sh',
    },
  ])
})

test('unknown macros, and unset variables', () => {
  const spec = { kind: 'command' as const, command: ['node', '${program}', '--key=${envvar:ASSAY_TEST_NOT_SET}'] }
  const checked = (more: { program?: string }) =>
    checkCommand({ ...spec, ...more }, experimentWith({ kind: 'command' }))
  expect(checked({})).toMatchObject([
    { path: ['target', 'command', 1], message: '${program} stands for "program", which is missing' },
    { path: ['target', 'command', 2], message: 'the environment variable ASSAY_TEST_NOT_SET is not set' },
  ])
  // The file after another program's name can't be checked.
  expect(checked({ program: 'anywhere' })).toHaveLength(1)
})

test('a program that Python would not find', () => {
  const command = ['${interpreter}', '-u', '${program}', '${args}']
  const spec = { kind: 'command' as const, command, program: 'no-such.py' }
  const problems = checkCommand(spec, experimentWith({ kind: 'command' }))
  expect(problems.at(-1)).toMatchObject({
    path: ['target', 'program'],
    message: `program "no-such.py" was not found in ${programs}`,
  })
  const module = { ...spec, command: ['${interpreter}', '-m', '${program}'] }
  expect(checkCommand(module, experimentWith({ kind: 'command' })).map(({ path }) => path[1])).not.toContain('program')
})

test('looks for a plain name in the program’s PATH', () => {
  const checkWith = (env: Record<string, string>) =>
    checkCommand({ kind: 'command', command: ['prints.sh'], env }, experimentWith({ kind: 'command' }))
  expect(checkWith({ PATH: `${programs}:/bin` })).toEqual([])
  expect(checkWith({ PATH: '/bin' })).toMatchObject([{ message: 'program "prints.sh" was not found on the PATH' }])
  expect(checkWith({ PATH: '/{seed}:/bin' })).toEqual([])
})
