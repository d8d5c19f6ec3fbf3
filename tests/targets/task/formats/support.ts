import { expect } from 'vitest'
import { readTasks } from '../../../../src/targets/task/read-tasks.ts'
import type { BrokenTask, Task } from '../../../../src/targets/task/task.ts'
import { folderWith } from '../../../support/assay.ts'

/** The one task in a folder with these files. */
export function taskWith(files: Readonly<Record<string, string>>): Task | BrokenTask {
  return only(folderWith(files))
}

export function only(path: string): Task | BrokenTask {
  const [task, ...others] = [...readTasks(path)]
  expect(others).toEqual([])
  if (task === undefined) throw new Error(`no task in ${path}`)
  return task
}

export function sound(task: Task | BrokenTask): Task {
  if (task.kind === 'broken') throw new Error(task.problems.join('\n'))
  return task
}

export function problemsOf(task: Task | BrokenTask | undefined): readonly string[] {
  return task?.kind === 'broken' ? task.problems : []
}

/** A Harbor task that can be run; `files` replace or add. */
export const harbor = (files: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'task.toml': 'version = "1.0"\n',
  'instruction.md': 'Write hello.txt.\n',
  'environment/Dockerfile': 'FROM python:3.12-slim\nWORKDIR /app\n',
  'tests/test.sh': '#!/bin/sh\ntest -f /app/hello.txt && echo 1 > /logs/verifier/reward.txt\n',
  ...files,
})

export const terminalBench = (files: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'task.yaml': 'instruction: Write hello.txt.\ndifficulty: easy\n',
  Dockerfile: 'FROM python:3.12-slim\nWORKDIR /app\n',
  'run-tests.sh': '#!/bin/bash\npython3 $TEST_DIR/run.py\n',
  'tests/run.py': 'print("ok")\n',
  'solution.sh': '#!/bin/bash\ntouch hello.txt\n',
  ...files,
})

export const meta = (more: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    task_id: 'greet_20250101_120000',
    metadata: { title: 'Greet', tags: ['coding'] },
    repo: { path: 'repo' },
    lm: { instructions: 'Write a greeting.' },
    evaluation: {
      rubrics: [{ id: 'works', criterion: 'It greets.', weight: 1 }],
      test_scripts: [{ path: 'tests/test_greet.py', rubric_id: 'works', content: 'def test_it(): pass\n' }],
    },
    ...more,
  })

export const oneShot = (files: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'tb_meta.json': meta(),
  'repo/greet.py': 'def greet(): pass\n',
  'diff.patch': 'diff --git a/greet.py b/greet.py\n',
  ...files,
})
