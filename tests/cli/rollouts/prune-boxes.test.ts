import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay } from '../../support/assay.ts'
import {
  answerTask,
  attemptsOf,
  benchmark,
  fileOfRun,
  needsBubblewrap,
  runFolders,
  said,
} from '../../targets/task/support.ts'

it('cache prune --boxes deletes the files of boxes, and eval then keeps the scores', async () => {
  await needsBubblewrap()
  const cwd = benchmark(
    answerTask(),
    'target: { kind: task, tasks: tasks/*, sandbox: bubblewrap }\nfactors: { agent: [oracle, nop] }\n',
  )
  const cache = (...words: string[]) => assay(['cache', ...words], { cwd })
  expect((await assay(['run'], { cwd })).status).toBe(0)
  expect((await assay(['eval', 'results/bench'], { cwd })).status).toBe(0)
  const boxes = () => runFolders(cwd).filter(folder => existsSync(join(folder, 'attempts/1/box/0')))
  expect(boxes()).toHaveLength(2)

  expect((await cache('prune', '--boxes', '--older-than', '1h')).stdout).toContain('no finished run has boxes')
  expect((await cache('prune', '--boxes', '-n')).stdout).toMatch(/^would delete what the boxes of 2 runs left, \d/)
  expect(boxes()).toHaveLength(2)
  const pruned = await cache('prune', 'results', '--boxes')
  expect(pruned.stdout, said(pruned)).toMatch(/^deleted what the boxes of 2 runs left, \d.*can't be scored again/)
  expect(boxes()).toHaveLength(0)
  expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('42')
  expect((await cache('prune', '--boxes')).stdout).toContain('there is nothing to delete')

  const scored = await assay(['eval', 'results/bench'], { cwd })
  expect(scored.status, said(scored)).toBe(2)
  expect(scored.stderr).toContain("it can't be scored again")
  expect(attemptsOf(cwd)).toHaveLength(4)
  expect((await assay(['run'], { cwd })).stdout).toContain('passed: 1 of 2')
  expect((await cache('list', '--boxes')).status).toBe(2)
})
