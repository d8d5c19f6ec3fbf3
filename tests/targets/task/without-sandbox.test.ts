import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readAtif } from '../../../src/models/trajectory/read-atif.ts'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { answerTask, attemptsOf, benchmark, fileOfRun, resultsOf, said } from './support.ts'

const examples = fileURLToPath(new URL('../../../examples/tasks/', import.meta.url))

const experiment = (agent: string): string => `name: bench
target:
  kind: task
  tasks: tasks/*
  sandbox: process
  agents: { own: { command: [python3, ./agent.py, '{model}', '{instruction_file}', '{workdir}'] } }
  agent: ${agent}
factors: { model: [sim/a] }
models: { sim/a: { price: { input: 1, output: 1 }, rules: [{ answer: "It is done." }] } }
`

/** Calls the model once, and writes its answer. */
const agent = `import json, os, sys, urllib.request
model, instruction, workdir = sys.argv[1:]
body = json.dumps({"model": model, "messages": [{"role": "user", "content": open(instruction).read()}]}).encode()
request = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body,
  {"authorization": "Bearer " + os.environ["OPENAI_API_KEY"], "content-type": "application/json"})
said = json.load(urllib.request.urlopen(request))["choices"][0]["message"]["content"]
assert os.getcwd() == os.path.realpath(workdir), (os.getcwd(), workdir)
open("said.txt", "w").write(said + "\\n")
`

function project(agentName: string): string {
  const cwd = folderWith({ 'experiment.yaml': experiment(agentName), 'agent.py': agent })
  cpSync(join(examples, 'interval-set'), join(cwd, 'tasks', 'interval-set'), { recursive: true })
  return cwd
}

it('runs a task without absolute paths on request, and reports missing isolation', async () => {
  const cwd = project('oracle')
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
  expect(resultsOf(cwd)).toMatchObject({ total_score: 1, sandbox: { backend: 'process', isolation: 'none' } })
  expect(attemptsOf(cwd)).toMatchObject([{ sandbox: 'process' }])
})

it('lets an agent reach models without a sandbox too', async () => {
  const cwd = project('own')
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
  expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('+It is done.')
  expect(resultsOf(cwd).agent_metrics).toMatchObject({ calls: 1, exit_code: 0 })
  const trajectory = readAtif(JSON.parse(fileOfRun(cwd, 'trajectory.json')))
  expect(trajectory).toMatchObject({
    ...{ task: 'interval-set', recorded_by: 'proxy', exit_status: 'submitted', agent: { name: 'own', model: 'sim/a' } },
    turns: [{ from: 1, to: 2, prompt: [{ from: 0, to: 1 }] }],
    totals: { agent: { calls: 1 } },
  })
  expect(trajectory.history.at(-1)).toEqual({ role: 'assistant', content: 'It is done.' })
  expect(trajectory.submission).toBe(fileOfRun(cwd, 'artifacts/diff.patch'))
})

it('refuses tasks with tests at absolute paths', async () => {
  const cwd = benchmark(answerTask(), 'target: { kind: task, tasks: tasks/*, sandbox: process, agent: oracle }\n')
  const ended = await assay(['run', '--json'], { cwd })
  expect(summaryOf(ended), said(ended)).toMatchObject({ failed: 1 })
  const [attempt] = attemptsOf(cwd)
  expect(attempt?.message).toContain('tests at absolute paths')
})
