import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, summaryOf } from '../../support/assay.ts'
import { needs } from '../../support/needs.ts'
import {
  answerTask,
  attemptsOf,
  benchmark,
  fileOfRun,
  needsBubblewrap,
  resultsOf,
  runFolders,
  said,
} from './support.ts'

const withAgent = (command: string, more = ''): string => `
target:
  kind: task
  tasks: tasks/*
  sandbox: bubblewrap
  agents: { own: { command: [sh, -c, ${JSON.stringify(command)}] } }
  agent: own
  ${more}
`

describe('a rollout in bubblewrap', () => {
  it("scores the task's own solution 1 and doing nothing 0, and keeps what led to it", async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      answerTask(),
      'target: { kind: task, tasks: tasks/*, sandbox: bubblewrap }\nfactors: { agent: [oracle, nop] }\norder: listed\n',
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ planned: 2, completed: 2 })
    expect(resultsOf(cwd)).toMatchObject({
      total_score: 1,
      evaluation: { total_score: 1 },
      agent_metrics: { agent: 'oracle', ended: 'exited', exit_code: 0 },
      standard_metrics: { total_score: 1, passed: 1 },
      sandbox: { backend: 'bubblewrap', network: 'none' },
    })
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('+42')
    expect(fileOfRun(cwd, 'artifacts/notes.md')).toContain('- answer.txt')
    expect(JSON.parse(fileOfRun(cwd, 'artifacts/repo_info.json'))).toMatchObject({ touched_files: ['answer.txt'] })
    expect(JSON.parse(fileOfRun(cwd, 'artifacts/manifest.json'))).toMatchObject({
      files: [{ path: 'diff.patch' }, { path: 'notes.md' }, { path: 'repo_info.json' }],
    })
    expect(fileOfRun(cwd, 'logs/eval.log')).toContain('the tests look at 42')
    expect(fileOfRun(cwd, 'scoring_results.md')).toContain('## Score: 100%')
    expect(attemptsOf(cwd).map(({ sandbox }) => sandbox)).toEqual(['bubblewrap', 'bubblewrap'])
  })

  it('starts scripts without execute permission', async () => {
    await needsBubblewrap()
    const cwd = benchmark(answerTask(), 'target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, agent: oracle }\n')
    for (const script of ['tests/test.sh', 'solution/solve.sh']) chmodSync(join(cwd, 'tasks', 'answer', script), 0o644)
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(resultsOf(cwd)).toMatchObject({ total_score: 1 })
  })

  it('shows the agent neither tests nor solution, and nothing of this machine but programs', async () => {
    await needsBubblewrap()
    const look =
      'for place in /tests /solution /logs/verifier "$HOST"; do test -e "$place" && echo "sees $place"; done; pwd; ls; env'
    const cwd = benchmark(answerTask(), withAgent(`HOST=HERE; ${look}`).replace('HOST=HERE', `HOST=$(echo HERE)`))
    const ended = await assay(['run', '--json'], { cwd, env: { OPENAI_API_KEY: 'sk-real-key-of-this-machine' } })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    const log = fileOfRun(cwd, 'logs/agent.log')
    expect(log).not.toMatch(/^sees /m)
    expect(log).not.toContain('sk-real-key')
    expect(log).toContain('/app\nquestion.txt\n')
  })

  it('passes the instruction on standard input, as a file, or as an argument', async () => {
    await needsBubblewrap()
    const agents = `{
      by_stdin: { command: [sh, -c, 'cat > got.txt'] },
      by_file: { command: [cp, '{instruction_file}', got.txt] },
      by_argument: { command: [sh, -c, 'printf "%s" "$0" > got.txt'], instruction: argument },
      by_name: { command: [sh, -c, 'printf "%s" "$0" > got.txt', '{instruction}'] } }`
    const cwd = benchmark(
      answerTask(),
      `target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, agents: ${agents} }\nfactors: { agent: [by_stdin, by_file, by_argument, by_name] }\n`,
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 4 })
    const { readFileSync } = await import('node:fs')
    for (const folder of runFolders(cwd))
      expect(readFileSync(`${folder}/artifacts/diff.patch`, 'utf8')).toContain(
        '+Write the answer to everything to /app/answer.txt.',
      )
  })

  it('scores an agent that ran out of time, ended badly, or left daemons, and says so', async () => {
    await needsBubblewrap()
    const slow = benchmark(
      answerTask(),
      withAgent('echo 42 > answer.txt; (setsid sleep 1000 &) ; sleep 1000', 'time: { agent: 0.002 }'),
    )
    const ended = await assay(['run', '--json'], { cwd: slow })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(attemptsOf(slow)).toMatchObject([{ outcome: 'completed', error_class: 'agent_timed_out' }])
    expect(resultsOf(slow)).toMatchObject({ total_score: 1, agent_metrics: { ended: 'timed_out' } })

    const bad = benchmark(answerTask(), withAgent('echo 42 > answer.txt; exit 3'))
    await assay(['run', '--json'], { cwd: bad })
    expect(attemptsOf(bad)).toMatchObject([{ outcome: 'completed', error_class: 'agent_error' }])
    expect(resultsOf(bad)).toMatchObject({ total_score: 1, agent_metrics: { exit_code: 3 } })
  })

  it('has no score if the tests give none, and then scores again without running the agent', async () => {
    await needsBubblewrap()
    const files = answerTask({ 'tasks/answer/tests/test.sh': '#!/bin/sh\necho no reward today\n' })
    const cwd = benchmark(
      files,
      withAgent('date +%N >> answer.txt; echo 42 > answer.txt; echo ran >> /logs/artifacts/runs.txt'),
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ failed: 1 })
    expect(attemptsOf(cwd)).toMatchObject([{ error_class: 'reward_file_not_found', only_scoring_left: true }])
    expect(resultsOf(cwd)).toMatchObject({ total_score: null, problem: expect.stringContaining('reward.txt') })

    const again = await assay(['run', '--json', '--retry-failed'], { cwd })
    expect(summaryOf(again), said(again)).toMatchObject({ failed: 1, attempts: 2 })
    expect(attemptsOf(cwd)).toMatchObject([{ mode: 'run' }, { mode: 'score' }])
    expect(fileOfRun(cwd, 'logs/artifacts/runs.txt')).toBe('ran\n')
  })

  it('fails an agent that breaks its system, rather than not scoring it', async () => {
    await needsBubblewrap()
    const cwd = benchmark(answerTask(), withAgent('echo 42 > answer.txt; rm -f /usr/bin/cat /bin/cat'))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(resultsOf(cwd)).toMatchObject({ total_score: 0 })
    expect(fileOfRun(cwd, 'scoring_results.md')).toContain('no program can be started')
  })

  it('names the step of an environment that can’t be built here, and scores nothing', async () => {
    await needsBubblewrap()
    const dockerfile = 'FROM python:3.12-slim\nWORKDIR /app\nRUN this-program-is-nowhere --at-all\n'
    const cwd = benchmark(
      answerTask({ 'tasks/answer/environment/Dockerfile': dockerfile }),
      'target: { kind: task, tasks: tasks/*, sandbox: bubblewrap, agent: oracle }\n',
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ failed: 1 })
    const [attempt] = attemptsOf(cwd)
    expect(attempt).toMatchObject({ unsupported_environment: true })
    expect(attempt?.message).toContain('this-program-is-nowhere')

    const provided = await assay(
      ['run', '--json', '--retry-failed', '--provided', 'this-program*', '--stale', 'rerun'],
      { cwd },
    )
    expect(summaryOf(provided), said(provided)).toMatchObject({ completed: 1 })
    expect(resultsOf(cwd).sandbox).toMatchObject({ provided: ['RUN this-program-is-nowhere --at-all'] })
  })

  it.each([
    ['modal', 'asks for machines of Modal', 'give a --queue that its machines can reach'],
    ['kvm', 'names no sandbox of this machine', 'docker, podman, bubblewrap, process'],
    ['bublewrap', 'names no sandbox of this machine', 'did you mean "bubblewrap"?'],
  ])('refuses SANDBOX_BACKEND=%s before anything runs', async (backend, problem, hint) => {
    const cwd = benchmark(answerTask(), 'target: { kind: task, tasks: tasks/*, agent: oracle }\n')
    const ended = await assay(['run'], { cwd, env: { SANDBOX_BACKEND: backend } })
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain(`SANDBOX_BACKEND=${backend} ${problem}`)
    expect(ended.stderr).toContain(hint)
  })
})

describe('variations of a task', () => {
  it('scripts need not be executable, and agent and tests may be other users', async () => {
    await needsBubblewrap()
    const settings = (user: string) =>
      `[agent]\ntimeout_sec = 600.0\nuser = "${user}"\n[verifier]\ntimeout_sec = 600.0\nuser = "${user}"\n`
    const cwd = benchmark(
      {
        ...answerTask({
          'tasks/answer/task.toml': settings('nobody'),
          'tasks/answer/environment/Dockerfile': 'FROM x\nWORKDIR /app\nRUN chmod 777 /app\n',
          'tasks/answer/solution/solve.sh':
            '#!/bin/sh\ntouch "$HOME/mine" /logs/agent/mine && id -un > who.txt && echo 42 > answer.txt\n',
        }),
      },
      'target: { kind: task, tasks: tasks/*, agent: oracle, sandbox: bubblewrap }\n',
    )
    needs(process.getuid?.() === 0, 'only root can give a box other users')
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1, pass: { passed: 1 } })
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('+nobody')
  })

  it('an agent that fails before its first model call is not scored', async () => {
    await needsBubblewrap()
    const cwd = benchmark(answerTask(), `${withAgent('exit 3')}params: { model: sim/echo }\n`)
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 0, failed: 1 })
    expect(attemptsOf(cwd)).toMatchObject([{ outcome: 'failed', error_class: 'agent_not_started' }])
  })
})
