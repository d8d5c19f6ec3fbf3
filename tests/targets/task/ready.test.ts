import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { answerTask, attemptsOf, benchmark, fileOfRun, needsBubblewrap, resultsOf, said } from './support.ts'

const agent = (command: string): string =>
  `target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, agent: own, agents: { own: { command: ${command} } } }\n`

describe('before anything runs', () => {
  it.each([
    ['a file of the agent', '[python3, ./agent.py]', 'there is no ./agent.py beside the experiment'],
    ['the program of the agent', '[no-such-agent]', 'there is no program "no-such-agent" in PATH, and no Dockerfile'],
    ['the script of the agent', '[./agent.sh]', 'there is no ./agent.sh beside the experiment'],
  ])('refuses %s that is missing', async (_, command, message) => {
    await needsBubblewrap()
    const ended = await assay(['run'], { cwd: benchmark(answerTask(), agent(command)) })
    expect(ended.status, said(ended)).toBe(2)
    expect(ended.stderr).toContain(message)
    expect(ended.stdout, 'nothing was announced').toBe('')
  })

  it('accepts a program from the environment of a task', async () => {
    await needsBubblewrap()
    const dockerfile = 'FROM x\nWORKDIR /app\nCOPY --chmod=755 question.txt /usr/local/bin/answer-it\n'
    const files = answerTask({
      'tasks/answer/environment/Dockerfile': dockerfile,
      'tasks/answer/environment/question.txt': '#!/bin/sh\necho 42 > answer.txt\n',
    })
    const cwd = benchmark(files, agent('[answer-it]'))
    const ended = await assay(['run'], { cwd })
    expect(ended.status, said(ended)).toBe(0)
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'completed' }])
  })

  it('names the requested sandbox and why it can’t be used', async () => {
    const cwd = benchmark(answerTask(), 'target: { kind: task, tasks: tasks/*, agent: oracle }\n')
    const ended = await assay(['run', '--sandbox', 'podman'], { cwd, env: { PATH: '/nowhere' } })
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain('the sandbox podman: there is no program podman here')
    expect(ended.stderr).toContain('--sandbox auto')
  })
})

describe('the files of an agent', () => {
  it('are provenance: finished runs are kept when one changes, with a warning', async () => {
    await needsBubblewrap()
    const files = { ...answerTask(), 'agent.sh': 'echo 42 > answer.txt\n' }
    const cwd = benchmark(files, agent('[sh, ./agent.sh]'))
    expect(await assay(['run'], { cwd })).toMatchObject({ status: 0 })
    writeFileSync(join(cwd, 'agent.sh'), 'echo 43 > answer.txt\n')
    const again = await assay(['run'], { cwd })
    expect(again.stderr).toContain('agent.sh changed since the last call')
    expect(attemptsOf(cwd)).toHaveLength(1)
  })
})

describe('the output of a build', () => {
  it('is in the log of the run that built the environment', async () => {
    await needsBubblewrap()
    const dockerfile = 'FROM x\nWORKDIR /app\nRUN echo so it is built\n'
    const cwd = benchmark(
      answerTask({ 'tasks/answer/environment/Dockerfile': dockerfile }),
      'target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, agent: oracle }\n',
    )
    expect(await assay(['run'], { cwd })).toMatchObject({ status: 0 })
    expect(fileOfRun(cwd, 'logs/build.log')).toContain('so it is built\n')
  })
})

describe('an agent that talks to its provider itself', () => {
  it('has unknown counts and cost, instead of 0', async () => {
    await needsBubblewrap()
    const bin = folderWith({ gemini: '#!/bin/sh\necho 42 > answer.txt\n' })
    const cwd = benchmark(
      answerTask(),
      'target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, network: task, agent: gemini }\nparams: { model: gemini-2.5-flash }\n',
    )
    const env = { PATH: `${bin}:${process.env.PATH}`, GEMINI_API_KEY: 'none' }
    const ended = await assay(['run'], { cwd, env })
    expect(ended.status, said(ended)).toBe(0)
    const unknown = { tokens_total: null, calls: null, tool_calls_total: null, money_spent_usd: null }
    expect(resultsOf(cwd).agent_metrics).toMatchObject(unknown)
    expect((await assay(['summarize', 'results/bench'], { cwd })).stdout).toContain('| 100% | N/A | N/A | N/A |')
    const [run] = journalRows(join(cwd, 'results', 'bench'), 'SELECT cost_usd FROM attempts')
    expect(run).toEqual({ cost_usd: null })
  })
})
