import { expect, it } from 'vitest'
import { problemsOf, sound, taskWith, terminalBench } from './support.ts'

it('reads task.yaml and the files beside it', () => {
  const task = sound(
    taskWith(
      terminalBench({
        'task.yaml': `# canary GUID
instruction: |-
  Fix the parser. It must keep quotes.
  More.
author_name: A
author_email: a@example.com
difficulty: medium
category: software_engineering
tags: [python, parser]
parser_name: pytest
max_agent_timeout_sec: 900.0
max_test_timeout_sec: 180.0
run_tests_in_same_shell: false
disable_asciinema: true
estimated_duration_sec: 60
expert_time_estimate_min:
junior_time_estimate_min: 20
`,
        'docker-compose.yaml': `services:
  client:
    build: { dockerfile: Dockerfile }
    image: \${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}
    container_name: \${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}
    command: ["sh", "-c", "sleep infinity"]
    environment:
      - TEST_DIR=\${T_BENCH_TEST_DIR}
      - LANG=C.UTF-8
    volumes:
      - \${T_BENCH_TASK_LOGS_PATH}:\${T_BENCH_CONTAINER_LOGS_PATH}
`,
      }),
    ),
  )
  expect(task).toMatchObject({
    title: 'Fix the parser.',
    difficulty: 'medium',
    tags: ['software_engineering', 'python', 'parser'],
    environment: { dockerfile: `${task.dir}/Dockerfile`, context: task.dir, image: null, env: { LANG: 'C.UTF-8' } },
    unsupported: [],
    notes: [],
  })
  expect(task.steps).toMatchObject([
    {
      agentSec: 900,
      verifySec: 180,
      tests: {
        command: ['bash', '/tests/run-tests.sh'],
        files: [
          { from: { folder: `${task.dir}/tests` }, to: '/tests' },
          { from: { file: `${task.dir}/run-tests.sh` }, to: '/tests/run-tests.sh' },
        ],
        env: { TEST_DIR: '/tests' },
        scoring: 'pytest-summary',
      },
      solution: { kind: 'script', command: ['bash', '/oracle/solution.sh'] },
    },
  ])
})

it('has the defaults of terminal-bench', () => {
  const [step] = sound(taskWith(terminalBench())).steps
  expect(step).toMatchObject({ agentSec: 360, verifySec: 60 })
})

it('reads a typed solution', () => {
  const { 'solution.sh': _, ...files } = terminalBench({
    'solution.yaml':
      '- command: touch hello.txt\n  block: true\n- { command: q, append_enter: false, max_timeout_sec: 5 }\n',
  })
  expect(sound(taskWith(files)).steps[0]?.solution).toEqual({
    kind: 'keystrokes',
    commands: [
      { command: 'touch hello.txt', minSec: 0, maxSec: 180, isBlocking: true, hasEnter: true },
      { command: 'q', minSec: 0, maxSec: 5, isBlocking: false, hasEnter: false },
    ],
  })
})

it('runs tests/test_outputs.py with pytest without run-tests.sh', () => {
  const { 'run-tests.sh': _, ...files } = terminalBench({ 'tests/test_outputs.py': 'def test_it(): pass\n' })
  const task = sound(taskWith(files))
  expect(task.steps[0]?.tests).toMatchObject({ command: ['python3', '-m', 'pytest', '-rA', '/tests/test_outputs.py'] })
  expect(task.needs).toContainEqual({ kind: 'program', what: 'pytest', where: 'tests/test_outputs.py' })
})

it('names other services and other parsers as unsupported', () => {
  const task = sound(
    taskWith(
      terminalBench({
        'task.yaml': 'instruction: x\ndifficulty: easy\nparser_name: swebench\n',
        'docker-compose.yaml':
          'services:\n  client: { build: ., network_mode: host, volumes: ["./data:/data"] }\n  web: { image: nginx }\n',
      }),
    ),
  )
  expect(task.unsupported).toEqual([
    'docker-compose.yaml: the service "web"',
    'docker-compose.yaml: services.client.network_mode',
    'docker-compose.yaml: the volume "./data:/data"',
    'task.yaml: parser_name: swebench',
  ])
})

it('warns if the image would contain the solution', () => {
  const task = sound(taskWith(terminalBench({ Dockerfile: 'FROM debian\nCOPY . /app\n' })))
  expect(task.notes).toEqual([
    'Dockerfile: copies the whole folder, tests and solution included, to where the agent sees them',
  ])
})

it.each([
  ['difficulty: easy\n', 'task.yaml:1:1  instruction: missing, expected text'],
  [
    'instruction: x\ndifficulty: brutal\n',
    'task.yaml:2:13  difficulty: expected "easy", "medium", "hard" or "unknown", got "brutal"',
  ],
  [
    'instruction: x\nmax_agent_timeout_sec: .nan\n',
    'task.yaml:2:24  max_agent_timeout_sec: expected a finite number, got NaN',
  ],
  [
    'instruction: x\nmax_test_timeout_sec: 0\n',
    'task.yaml:2:23  max_test_timeout_sec: expected seconds: a number above 0, got 0',
  ],
  ['instruction: [x\n', expect.stringContaining('task.yaml:')],
])('refuses %j', (yaml, problem) => {
  expect(problemsOf(taskWith(terminalBench({ 'task.yaml': yaml })))).toContainEqual(problem)
})

it('refuses a task without tests', () => {
  const { 'run-tests.sh': _, ...files } = terminalBench()
  expect(problemsOf(taskWith(files))).toEqual(['run-tests.sh: is missing'])
})
