import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fillVariables } from '../../../../src/targets/task/formats/host-variables.ts'
import { readTasks } from '../../../../src/targets/task/read-tasks.ts'
import { folderWith } from '../../../support/assay.ts'
import { harbor, oneShot, only, problemsOf, sound, terminalBench } from './support.ts'

const below = (folder: string, files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))

it('reads a folder of tasks of all formats, in the order of their names, and nothing else in it', () => {
  const folder = folderWith({
    ...below('b', harbor()),
    ...below('a', terminalBench()),
    ...below('c', oneShot()),
    'docs/readme.md': '',
    'd/e/task.toml': '',
    'README.md': '',
  })
  expect([...readTasks(folder)].map(({ format }) => format)).toEqual(['terminal-bench', 'harbor', 'oneshot'])
})

it('never mistakes a broken task of one format for another', () => {
  const folder = folderWith({ ...terminalBench(), ...oneShot(), 'task.toml': 'x = ' })
  expect(only(folder)).toMatchObject({ kind: 'broken', format: 'harbor' })
  rmSync(join(folder, 'task.toml'))
  symlinkSync('task.toml', join(folder, 'task.toml'))
  expect(only(folder)).toMatchObject({
    kind: 'broken',
    format: 'harbor',
    problems: expect.arrayContaining(['task.toml: is a link that leads in a circle']),
  })
})

it('explains the layout of a task if there is none', () => {
  expect(() => [...readTasks(join(folderWith(), 'gone'))]).toThrow('no such file or folder')
  expect(() => [...readTasks(folderWith({ 'a/b.txt': '' }))]).toThrow('there is no task here, nor in the folders in it')
  expect(() => [...readTasks(`${folderWith({ 'a.txt': '' })}/a.txt`)]).toThrow('there is no task here')
})

it('refuses files that are outside the folder, not regular, too large or not text', () => {
  const folder = folderWith({ ...below('task', harbor()), 'secret.md': 'the secret' })
  const file = (name: string) => join(folder, 'task', name)
  const replaced = (name: string, make: (path: string) => void) => {
    rmSync(file(name), { force: true, recursive: true })
    make(file(name))
    return problemsOf(only(join(folder, 'task')))
  }
  expect(replaced('instruction.md', path => symlinkSync('../secret.md', path))).toEqual([
    'instruction.md: leads out of the task folder and is not read',
  ])
  expect(replaced('instruction.md', path => mkdirSync(path))).toEqual(['instruction.md: is not a regular file'])
  const huge = replaced('instruction.md', path => {
    writeFileSync(path, '')
    truncateSync(path, 17 * 2 ** 20)
  })
  expect(huge).toEqual(['instruction.md: has 17 MB; at most 16 MB are read'])
  expect(replaced('instruction.md', path => writeFileSync(path, Buffer.from([0x68, 0xff, 0xfe])))).toEqual([
    'instruction.md: is not UTF-8 text; save it as UTF-8',
  ])
  writeFileSync(file('instruction.md'), 'fine')
  expect(replaced('task.toml', path => writeFileSync(path, Buffer.from([0x61, 0xff])))).toEqual([
    'task.toml:1: is not UTF-8 text',
  ])
})

it('refuses folders that link elsewhere', () => {
  const folder = folderWith({ ...below('task', harbor()), 'other/test.sh': 'true\n' })
  rmSync(join(folder, 'task/tests'), { recursive: true })
  symlinkSync('../other', join(folder, 'task/tests'))
  expect(problemsOf(only(join(folder, 'task')))).toEqual(['tests: leads out of the task folder and is not read'])
})

it('changes the digest with every relevant file only', () => {
  const folder = folderWith(harbor({ 'environment/data.csv': '1\n', 'tests/run.py': 'a' }))
  const digest = () => sound(only(folder)).digest
  const first = digest()
  expect(digest()).toBe(first)
  const seen = new Set([first])
  const changes: readonly (() => void)[] = [
    () => writeFileSync(join(folder, 'environment/data.csv'), '2\n'),
    () => writeFileSync(join(folder, 'tests/run.py'), 'b'),
    () => chmodSync(join(folder, 'tests/run.py'), 0o755),
    () => writeFileSync(join(folder, 'tests/more.py'), ''),
    () => symlinkSync('/nowhere', join(folder, 'tests/link')),
    () => symlinkSync('.', join(folder, 'environment/loop')),
  ]
  for (const change of changes) {
    change()
    seen.add(digest())
  }
  expect(seen.size).toBe(changes.length + 1)
  const last = digest()
  mkdirSync(join(folder, 'tests/__pycache__'))
  writeFileSync(join(folder, 'tests/__pycache__/run.pyc'), 'x')
  writeFileSync(join(folder, 'README.md'), 'about it')
  expect(digest()).toBe(last)
})

it('fills in variables of the host, and names those that are missing', () => {
  const values = { A: '${HOME}/x', B: '${NOT_SET:-small}', C: 'plain $HOME', D: '${GONE}', E: '${EMPTY:-e}' }
  expect(fillVariables(values, { HOME: '/root', EMPTY: '' })).toEqual({
    values: { A: '/root/x', B: 'small', C: 'plain $HOME', D: '', E: 'e' },
    missing: ['GONE'],
  })
})

it('loads all of 3,566 Harbor tasks', () => {
  const folder = folderWith()
  for (let index = 0; index < 3566; index++)
    for (const [name, text] of Object.entries(
      harbor({
        'task.toml': `version = "1.0"\n[metadata]\ndifficulty = "easy"\n[agent]\ntimeout_sec = ${index + 1}.0\n`,
      }),
    )) {
      const path = join(folder, `task-${index}`, name)
      mkdirSync(join(path, '..'), { recursive: true })
      writeFileSync(path, text)
    }
  const tasks = [...readTasks(folder)].map(sound)
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(3566)
  expect(new Set(tasks.map(({ steps }) => steps[0]?.agentSec)).size).toBe(3566)
}, 120_000)
