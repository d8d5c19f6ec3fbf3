import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, summaryOf } from '../../support/assay.ts'
import { leftoversOf } from './leftovers.ts'
import { answerTask, benchmark, fileOfRun, needsBubblewrap, resultsOf, runFolders, said } from './support.ts'

// Each of the four slots is used ten times, so leftovers of any run would be seen.
it('executes 40 runs with 4 at a time, and leaves neither boxes nor stages', async () => {
  await needsBubblewrap()
  const cwd = benchmark(
    answerTask({ 'tasks/answer/environment/Dockerfile': 'FROM scratch\nWORKDIR /app\n' }),
    'target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, agent: nop }\nreplicates: 40\nlimits: { jobs: 4 }\n',
  )
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended)).toMatchObject({ planned: 40, completed: 40, attempts: 40 })
  expect(leftoversOf(cwd)).toEqual([])
  for (const folder of runFolders(cwd)) expect(readdirSync(folder)).not.toEqual(expect.arrayContaining(['stage']))
})

it('handles a folder of 2,000 files, 200 tests, and cuts a patch of 30 MB with a notice', async () => {
  await needsBubblewrap()
  const many = Object.fromEntries(
    Array.from({ length: 2000 }, (_, at) => [`tasks/answer/environment/data/${at % 20}/${at}.txt`, `${at}\n`]),
  )
  const tests = Array.from({ length: 200 }, (_, at) => ({ name: `t${at}`, status: at === 7 ? 'failed' : 'passed' }))
  const files = answerTask({
    ...many,
    'tasks/answer/environment/Dockerfile': 'FROM scratch\nWORKDIR /app\nCOPY data data\n',
    'tasks/answer/tests/ctrf.json': JSON.stringify({ results: { tests } }),
    'tasks/answer/tests/test.sh':
      '#!/bin/sh\ncp /tests/ctrf.json /logs/verifier/\nfind data -type f | wc -l\necho 1 > /logs/verifier/reward.txt\n',
  })
  const agent =
    'i=0; while [ $i -lt 30 ]; do head -c 750000 /dev/urandom | base64 > big$i.txt; i=$((i + 1)); done; echo changed > data/0/0.txt'
  const cwd = benchmark(
    files,
    `target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, agents: { own: { command: [sh, -c, ${JSON.stringify(agent)}] } }, agent: own }\n`,
  )
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
  expect(fileOfRun(cwd, 'logs/eval.log')).toContain('2000')
  expect(resultsOf(cwd).standard_metrics).toMatchObject({ tests_total: 200, tests_passed: 199 })
  const [folder = ''] = runFolders(cwd)
  expect(statSync(join(folder, 'artifacts', 'diff.patch')).size).toBeLessThan(21_000_000)
  expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('+changed')
  const { left_out } = JSON.parse(fileOfRun(cwd, 'artifacts/manifest.json'))
  expect(left_out).toContainEqual({
    path: expect.stringMatching(/^big\d+\.txt$/),
    why: expect.stringContaining('too large'),
  })
  expect(readFileSync(join(folder, 'scoring_results.md'), 'utf8').length).toBeLessThan(200_000)
})
