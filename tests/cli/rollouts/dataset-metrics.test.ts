import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay } from '../../support/assay.ts'
import { answerTask, benchmark, needsBubblewrap, said } from '../../targets/task/support.ts'

const metric = `import argparse, json, socket
parser = argparse.ArgumentParser()
parser.add_argument("-i")
parser.add_argument("-o")
words = parser.parse_args()
rewards = [json.loads(line) for line in open(words.i)]
known = [one["reward"] for one in rewards if one is not None]
try:
    socket.create_connection(("192.0.2.1", 80), 0.2)
    reached = 1
except OSError:
    reached = 0
json.dump({"best": max(known), "missing": rewards.count(None), "reached": reached}, open(words.o, "w"))
`

it('runs the metric.py of a set of tasks for each variant, in a box', async () => {
  await needsBubblewrap()
  const failing = { 'tasks/none/tests/test.sh': '#!/bin/sh\ntrue\n' }
  const copy = Object.entries(answerTask()).map(([name, text]) => [name.replace('tasks/answer', 'tasks/none'), text])
  const cwd = benchmark(
    { ...answerTask(), ...Object.fromEntries(copy), ...failing, 'tasks/metric.py': metric },
    'target: { kind: task, tasks: tasks, sandbox: bubblewrap }\nfactors: { agent: [oracle, nop] }\nreplicates: 2\n',
  )
  expect((await assay(['run', '-j', '2'], { cwd })).status).toBe(1)
  const place = { cwd, env: { SANDBOX_BACKEND: 'bubblewrap' } }
  const shown = await assay(['summarize', 'results/bench'], place)
  const row = (agent: string, name: string, value: number) => `| tasks | agent=${agent} | 4 | ${name} | ${value} |`
  for (const line of [row('oracle', 'best', 1), row('oracle', 'missing', 2), row('oracle', 'reached', 0)])
    expect(shown.stdout, said(shown)).toContain(line)
  expect(shown.stdout).toContain(row('nop', 'best', 0))
  expect(readFileSync(join(cwd, 'results/bench/summary.md'), 'utf8')).toContain(row('oracle', 'best', 1))

  writeFileSync(join(cwd, 'tasks/metric.py'), 'raise SystemExit("it is not ready")\n')
  const json = JSON.parse((await assay(['summarize', 'results/bench', '--json'], place)).stdout)
  expect(json.datasets).toMatchObject([
    { dataset: 'tasks', n: 4, values: {}, problem: 'it ended with exit code 1: it is not ready' },
    { dataset: 'tasks', n: 4, values: {} },
  ])
  writeFileSync(join(cwd, 'tasks/metric.py'), 'import sys; open(sys.argv[4], "w").write("[1]")\n')
  const nonsense = await assay(['summarize', 'results/bench'], place)
  expect(nonsense.stdout).toContain('not known: its out.json is no object of numbers')
})
