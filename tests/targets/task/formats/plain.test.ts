import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTasks } from '../../../../src/targets/task/read-tasks.ts'
import { folderWith } from '../../../support/assay.ts'

const read = (files: Readonly<Record<string, string>>) => {
  const folder = folderWith(Object.fromEntries(Object.entries(files).map(([name, text]) => [`note/${name}`, text])))
  return [...readTasks(join(folder, 'note'))]
}

it('reads an instruction and the files to work on', () => {
  expect(read({ 'instruction.md': '# Write a note\n\nTo note.txt.\n', 'files/a.txt': 'a' })).toMatchObject([
    {
      kind: 'task',
      id: 'note',
      format: 'plain',
      title: 'Write a note',
      steps: [{ instruction: '# Write a note\n\nTo note.txt.\n', tests: { files: [] } }],
      environment: { workdir: '/app', overlays: [{ to: '/app' }] },
    },
  ])
  expect(read({ 'instruction.md': 'Write.' })).toMatchObject([{ kind: 'task', environment: { overlays: [] } }])
})

it('changes with its files', () => {
  const digests = ['a', 'b'].map(text => read({ 'instruction.md': 'Write.', 'files/a.txt': text })[0])
  expect(digests[0]).not.toMatchObject({ digest: Reflect.get(digests[1] ?? {}, 'digest') })
})

it.each([
  [{ 'instruction.md': '  \n' }, 'is empty'],
  [
    { 'instruction.md': 'Write.', 'tests/test.sh': '#!/bin/sh\n' },
    'task.toml: is missing, and tests would not be used',
  ],
])('refuses %j', (files, problem) => {
  expect(read(files)).toMatchObject([{ kind: 'broken', format: 'plain', problems: [expect.stringContaining(problem)] }])
})
