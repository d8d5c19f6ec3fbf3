import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readAtif } from '../../../src/models/trajectory/read-atif.ts'
import { assay, summaryOf } from '../../support/assay.ts'
import { attemptsOf, benchmark, fileOfRun, needsBubblewrap, resultsOf, runFolders, said } from './support.ts'

type Files = Readonly<Record<string, string>>

/** A Harbor task with three steps; the tests of each look for its file. */
const threeSteps = (toml: string, over: Files = {}, name = 'steps'): Files => ({
  [`tasks/${name}/task.toml`]: `${toml}\n`,
  [`tasks/${name}/environment/Dockerfile`]: 'FROM scratch\nWORKDIR /app\n',
  ...Object.fromEntries(
    ['one', 'two', 'three'].flatMap(step => [
      [`tasks/${name}/steps/${step}/instruction.md`, `Write ${step}.\n`],
      [
        `tasks/${name}/steps/${step}/tests/test.sh`,
        `#!/bin/sh\nls > /logs/verifier/listed.txt\ntest -e ${step} && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\ntouch left-by-tests\n`,
      ],
      [`tasks/${name}/steps/${step}/solution/solve.sh`, `#!/bin/sh\ntouch ${step}\n`],
    ]),
  ),
  ...Object.fromEntries(Object.entries(over).map(([file, text]) => [`tasks/${name}/${file}`, text])),
})

const steps = (more = ''): string =>
  ['one', 'two', 'three'].map(name => `[[steps]]\nname = "${name}"\n${more}`).join('\n')

const agent = (command: string, more = ''): string =>
  `target:\n  kind: task\n  tasks: tasks/*\n  sandbox: bubblewrap\n  agents: { own: { command: [sh, -c, ${JSON.stringify(command)}] } }\n  agent: own\n${more}`

describe('a task with several steps', () => {
  it('is scored by the mean over all declared steps, or the last one; steps see earlier work and no tests', async () => {
    await needsBubblewrap()
    const last = 'multi_step_reward_strategy = "final"\n'
    const cwd = benchmark(
      { ...threeSteps(steps()), ...threeSteps(`${last}${steps()}`, {}, 'final') },
      agent('ls; read -r word step; test "$step" = two. || touch "$(basename "$step" .)"', 'order: listed\n'),
    )
    const ended = await assay(['run', '--json', '-j', '1'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 2 })
    const scores = runFolders(cwd).map(folder => [
      /final/.test(folder),
      JSON.parse(readFileSync(join(folder, 'evaluation_results.json'), 'utf8')).total_score,
    ])
    expect(scores).toContainEqual([false, expect.closeTo(2 / 3, 9)])
    expect(scores).toContainEqual([true, 1])
    for (const folder of runFolders(cwd)) {
      expect(readFileSync(join(folder, 'logs', 'agent-three.log'), 'utf8')).toBe('one\n')
      const diff = readFileSync(join(folder, 'artifacts', 'diff.patch'), 'utf8')
      expect(diff).toContain('b/three')
      expect(diff).toContain('b/one')
      expect(diff).not.toContain('left-by-tests')
    }
  })

  it('is one trajectory of the built-in agent, whose limits hold for all steps', async () => {
    await needsBubblewrap()
    const rule = "{ in: user, matches: 'Write ([a-z]+)[.]', "
    const rules = `[${rule}turn: 1, tool: { name: bash, arguments: { command: "ls; touch {1}" } } }, { tool: { name: submit, arguments: {} } }]`
    const cwd = benchmark(
      threeSteps(steps()),
      `target: { kind: agent, tasks: tasks/*, sandbox: bubblewrap }\nparams: { model: sim/a, call_limit: 5 }\nmodels: { sim/a: { price: { input: 1, output: 1 }, rules: ${rules} } }\n`,
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(resultsOf(cwd)).toMatchObject({ total_score: 1, agent_metrics: { calls: 5 } })
    expect(attemptsOf(cwd)).toMatchObject([{ exit_status: 'submitted (exit_cost)' }])
    const trajectory = readAtif(JSON.parse(fileOfRun(cwd, 'trajectory.json')))
    expect(trajectory.history.filter(({ role }) => role === 'user')).toHaveLength(3)
    expect(trajectory.turns.map(({ kind }) => kind)).toEqual(['turn', 'turn', 'turn', 'turn', 'turn', 'autosubmit'])
    for (const { prompt, from } of trajectory.turns.slice(0, 5)) expect(prompt?.at(-1)).toMatchObject({ to: from })
  })

  it('ends at a step below its minimum reward, also when scored again', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      // The third step would pass without any work.
      threeSteps(steps('min_reward = 0.5\n'), {
        'steps/three/tests/test.sh': '#!/bin/sh\necho 1 > /logs/verifier/reward.txt\n',
      }),
      agent('read -r word step; test "$step" = two. || touch "$(basename "$step" .)"'),
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(resultsOf(cwd).total_score).toBeCloseTo(1 / 3, 9)
    expect(existsSync(join(runFolders(cwd)[0] ?? '', 'logs', 'agent-three.log'))).toBe(false)

    const again = await assay(['eval', 'results/bench', '--json'], { cwd })
    expect(again.status, said(again)).toBe(0)
    expect(attemptsOf(cwd)).toMatchObject([{ mode: 'run' }, { mode: 'score', outcome: 'completed' }])
    expect(resultsOf(cwd).total_score).toBeCloseTo(1 / 3, 9)
  })

  it('gets files and setup of each step, whose failure counts; an unhealthy environment is not scored', async () => {
    await needsBubblewrap()
    const cwd = benchmark(
      {
        ...threeSteps(steps(), {
          'steps/two/workdir/setup.sh': 'echo set up by $(id -un); cp data.txt copied.txt\n',
          'steps/two/workdir/data.txt': 'data',
        }),
        ...threeSteps(steps(), { 'steps/one/workdir/setup.sh': 'exit 4\n' }, 'failing'),
        ...threeSteps(
          `[environment.healthcheck]\ncommand = "test -e /nowhere"\ninterval_sec = 0\nretries = 2\n${steps()}`,
          {},
          'sick',
        ),
        ...threeSteps(
          `[environment.healthcheck]\ncommand = "test -e /tmp/tries && test $(wc -l < /tmp/tries) -gt 1 || { echo >> /tmp/tries; false; }"\ninterval_sec = 0\nretries = 3\n${steps()}`,
          {},
          'slow',
        ),
      },
      agent('ls; touch one two three'),
    )
    await assay(['run', '--json', '-j', '1'], { cwd })
    const outcomes = Object.fromEntries(
      runFolders(cwd).map((folder, at) => [/tasks-([a-z]+)/.exec(folder)?.[1], attemptsOf(cwd)[at]]),
    )
    const of = (name: string): string => runFolders(cwd).find(folder => folder.includes(`tasks-${name}`)) ?? ''
    expect(readFileSync(join(of('steps'), 'logs', 'agent-two.log'), 'utf8')).toContain('copied.txt')
    expect(readFileSync(join(of('steps'), 'logs', 'setup.log'), 'utf8')).toContain('set up by root')
    const byTask = attemptsOf(cwd).map(({ outcome, error_class, message }) => [outcome, error_class, message])
    expect(byTask).toContainEqual(['failed', 'setup_error', expect.stringContaining('exit code 4')])
    expect(byTask).toContainEqual(['failed', 'setup_error', expect.stringContaining('test -e /nowhere failed 2 times')])
    expect(byTask.filter(([outcome]) => outcome === 'completed')).toHaveLength(2)
    expect(Object.keys(outcomes)).toHaveLength(4)
  })
})

describe('a Harbor task', () => {
  it('runs agent and tests as their users, with variables of this machine, and reads rewards, tests and metrics', async () => {
    await needsBubblewrap()
    const files = {
      'tasks/one/task.toml':
        '[agent]\nuser = "nobody"\n[verifier]\nuser = "daemon"\n[verifier.env]\nMODE = "${ASSAY_TEST_MODE:-usual}"\n[environment.env]\nPLACE = "${ASSAY_TEST_PLACE:-here}"\n',
      'tasks/one/instruction.md': 'Do it.\n',
      'tasks/one/environment/Dockerfile': 'FROM scratch\nWORKDIR /app\nRUN chmod 777 /app\nUSER bin\n',
      'tasks/one/tests/test.sh': `#!/bin/sh
echo "tested by $(id -un) in mode $MODE at $PLACE"
echo '{"reward": 0.5, "speed": 12.5, "is_good": true}' > /logs/verifier/reward.json
echo '{"results": {"tests": [{"name": "a", "status": "passed"}, {"name": "b", "status": "failed", "message": "no b"}]}}' > /logs/verifier/ctrf.json
echo '{"custom_metrics": {"lines": 7, "word": "x"}, "standard_metrics": {"coverage": 0.25}}' > /logs/verifier/metrics.json
`,
    }
    const cwd = benchmark(files, agent('id -un; echo at $PLACE; echo x > made'))
    const ended = await assay(['run', '--json'], { cwd, env: { ASSAY_TEST_PLACE: 'there' } })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    expect(fileOfRun(cwd, 'logs/agent.log')).toBe('nobody\nat there\n')
    expect(fileOfRun(cwd, 'logs/eval.log')).toContain('tested by daemon in mode usual at there')
    expect(fileOfRun(cwd, 'artifacts/diff.patch')).toContain('b/made')
    expect(resultsOf(cwd)).toMatchObject({
      total_score: 0.5,
      rewards: { reward: 0.5, speed: 12.5 },
      test_results: { a: { success: true }, b: { success: false, output: 'no b' } },
      custom_metrics: { lines: 7 },
      standard_metrics: { coverage: 0.25, tests_total: 2, tests_passed: 1 },
    })
  })

  it('is refused if a variable is missing, and has no score without a reward called reward', async () => {
    await needsBubblewrap()
    const base = {
      'instruction.md': 'Do it.\n',
      'environment/Dockerfile': 'FROM scratch\nWORKDIR /app\n',
      'tests/test.sh': '#!/bin/sh\necho \'{"a": 1, "b": 0}\' > /logs/verifier/reward.json\n',
    }
    const task = (name: string, toml: string): Files =>
      Object.fromEntries(
        Object.entries({ ...base, 'task.toml': toml }).map(([file, text]) => [`tasks/${name}/${file}`, text]),
      )
    const cwd = benchmark(
      { ...task('missing', '[environment.env]\nKEY = "${ASSAY_TEST_NOWHERE}"\n'), ...task('two', 'version = "1.0"\n') },
      agent('true'),
    )
    await assay(['run', '--json', '-j', '1'], { cwd })
    const found = attemptsOf(cwd)
    expect(found).toContainEqual(
      expect.objectContaining({
        unsupported_environment: true,
        message: expect.stringContaining('ASSAY_TEST_NOWHERE'),
      }),
    )
    expect(found).toContainEqual(expect.objectContaining({ error_class: 'no_reward', only_scoring_left: true }))
  })
})
