import { describe, expect, it } from 'vitest'
import { harbor, problemsOf, sound, taskWith } from './support.ts'

const withSettings = (toml: string, files = {}) => taskWith(harbor({ 'task.toml': toml, ...files }))

it('reads every key of task.toml', () => {
  const task = sound(
    withSettings(`
schema_version = "1.4"
artifacts = ["/app/out.json", { source = "/app/logs", destination = "logs" }]
source = "somewhere"

[task]
name = "acme/hello"
description = "Say hello.\\nMore."
authors = [{ name = "A", email = "a@example.com" }]
keywords = ["greeting"]

[metadata]
difficulty = "easy"
tags = ["files", "greeting"]
anything = { goes = true }

[agent]
timeout_sec = 120.5
user = "agent"

[verifier]
timeout_sec = 30
user = 1000
[verifier.env]
KEY = "\${OPENAI_API_KEY}"
MODEL = "\${JUDGE:-small}"

[solution.env]
FAST = true

[environment]
build_timeout_sec = 900
docker_image = "acme/hello:1"
cpus = 2
memory_mb = 4096
storage_mb = 20480
gpus = 0
gpu_types = []
allow_internet = false
workdir = "/srv"
mcp_servers = []
[environment.env]
PORT = 8080
[environment.healthcheck]
command = "curl localhost"
interval_sec = 1
retries = 9
`),
  )
  expect(task).toMatchObject({
    id: 'acme/hello',
    title: 'Say hello.',
    format: 'harbor',
    difficulty: 'easy',
    tags: ['greeting', 'files'],
    environment: {
      image: 'acme/hello:1',
      buildSec: 900,
      workdir: '/srv',
      env: { PORT: '8080' },
      healthcheck: { command: 'curl localhost', intervalSec: 1, timeoutSec: 30, startPeriodSec: 0, retries: 9 },
    },
    limits: { cpus: 2, memoryMb: 4096, storageMb: 20480, network: false, verifyNetwork: false, allowedHosts: null },
    notes: [],
    unsupported: [],
  })
  expect(task.steps).toMatchObject([
    {
      name: 'main',
      agentSec: 120.5,
      verifySec: 30,
      agentUser: 'agent',
      verifyUser: '1000',
      artifacts: [
        { source: '/app/out.json', destination: null },
        { source: '/app/logs', destination: 'logs' },
      ],
      tests: { env: { KEY: '${OPENAI_API_KEY}', MODEL: '${JUDGE:-small}' }, scoring: 'reward' },
    },
  ])
  expect(task.needs).toContainEqual({ kind: 'variable', what: 'OPENAI_API_KEY', where: 'task.toml verifier.env' })
  expect(task.needs.map(({ what }) => what)).not.toContain('JUDGE')
})

it('fills in defaults of task.toml', () => {
  const task = sound(taskWith(harbor()))
  expect(task).toMatchObject({
    limits: { cpus: 1, memoryMb: 2048, storageMb: 10240, gpus: 0, network: true },
    environment: { buildSec: 600, image: null, workdir: null },
    rewardStrategy: 'mean',
  })
  expect(task.steps[0]).toMatchObject({ agentSec: null, verifySec: 600, solution: null })
  expect(task.id).toBe(task.dir.split('/').at(-1))
})

it.each([
  ['2G', 2048],
  ['512M', 512],
  ['1024K', 1],
])('understands the old memory = "%s"', (memory, megabytes) => {
  const task = sound(withSettings(`[environment]\nmemory = "${memory}"\nstorage = "10G"\n`))
  expect(task.limits).toMatchObject({ memoryMb: megabytes, storageMb: 10_240 })
})

it('reads steps with their own tests, files and limits, over those of the task', () => {
  const task = sound(
    taskWith({
      'task.toml': `
artifacts = ["/app/all"]
multi_step_reward_strategy = "final"
[verifier]
timeout_sec = 50
[verifier.env]
A = "1"
[[steps]]
name = "scaffold"
min_reward = 1.0
artifacts = ["/app/one"]
[steps.agent]
timeout_sec = 60
[steps.healthcheck]
command = "true"
[[steps]]
name = "implement"
min_reward = { correctness = 0.5 }
[steps.verifier]
timeout_sec = 20
env = { B = "2" }
`,
      'environment/Dockerfile': 'FROM scratch\n',
      'tests/test.sh': 'shared\n',
      'steps/scaffold/instruction.md': 'First.\n',
      'steps/scaffold/workdir/setup.sh': 'true\n',
      'steps/scaffold/solution/solve.sh': 'true\n',
      'steps/implement/instruction.md': 'Then.\n',
      'steps/implement/tests/test.sh': 'own\n',
    }),
  )
  const to = '/tests'
  expect(task.rewardStrategy).toBe('final')
  expect(task.steps).toMatchObject([
    {
      name: 'scaffold',
      instruction: 'First.\n',
      minReward: { reward: 1 },
      agentSec: 60,
      verifySec: 50,
      workdir: { folder: `${task.dir}/steps/scaffold/workdir`, hasSetup: true },
      healthcheck: { command: 'true' },
      solution: { command: ['/solution/solve.sh'] },
      artifacts: [{ source: '/app/all' }, { source: '/app/one' }],
      tests: { files: [{ from: { folder: `${task.dir}/tests` }, to }], env: { A: '1' } },
    },
    {
      name: 'implement',
      minReward: { correctness: 0.5 },
      agentSec: null,
      verifySec: 20,
      solution: null,
      tests: {
        files: [
          { from: { folder: `${task.dir}/tests` }, to },
          { from: { folder: `${task.dir}/steps/implement/tests` }, to },
        ],
        env: { A: '1', B: '2' },
      },
    },
  ])
})

it('removes crawler marks from the instruction', () => {
  const text = '<!-- harbor-canary GUID 1 -->\n\n# Canary string: do not train\n\n# Title\nDo it.\n'
  expect(sound(taskWith(harbor({ 'instruction.md': text }))).steps[0]?.instruction).toBe('# Title\nDo it.\n')
})

it('reports unknown keys with their place', () => {
  const task = sound(withSettings('[environment]\nallow_internt = false\n[environment.network]\nmonitor = true\n'))
  expect(task.notes).toEqual([
    'task.toml:2:1  environment.allow_internt: unknown key "allow_internt"; did you mean "allow_internet"? (ignored)',
    expect.stringContaining('task.toml:3:1  environment.network: unknown key "network"'),
  ])
  expect(task.limits.network).toBe(true)
})

describe('refuses by name and place', () => {
  it.each([
    ['[agent]\ntimeout_sec = -5', 'task.toml:2:15  agent.timeout_sec: expected seconds: a number above 0, got -5'],
    ['[agent]\ntimeout_sec = nan', 'task.toml:2:15  agent.timeout_sec: expected a finite number, got NaN'],
    [
      '[verifier]\ntimeout_sec = "ten"',
      'task.toml:2:15  verifier.timeout_sec: expected seconds: a number above 0, got "ten"',
    ],
    ['[environment]\nmemory_mb = 0', 'task.toml:2:13  environment.memory_mb: expected a number above 0, got 0'],
    ['[environment]\ncpus = -1', 'task.toml:2:8  environment.cpus: expected a number above 0, got -1'],
    [
      '[environment]\nmemory = "lots"',
      'task.toml:2:10  environment.memory: expected a size such as 2G, 512M or 1024K, got "lots"',
    ],
    [
      '[environment]\nworkdir = "../x"',
      'task.toml:2:11  environment.workdir: expected an absolute path inside the environment, without "..", got "../x"',
    ],
    [
      'artifacts = [{ source = "/a", destination = "../b" }]',
      'task.toml:1:13  artifacts.0.destination: expected a relative path that stays inside, without ".." and ".git", got "../b"',
    ],
    [
      '[[steps]]\nname = "../../etc"',
      'task.toml:2:8  steps.0.name: expected the name of a folder in steps/, got "../../etc"',
    ],
    [
      '[environment]\nenv = { "A B" = "1" }',
      'task.toml:2:7  environment.env.A B: expected the name of a variable: letters, digits and "_", got "A B"',
    ],
    ['task = 1', 'task.toml:1:8  task: expected a map of keys and values, got 1'],
    ['x = ', 'task.toml:1:5  malformed TOML: invalid value'],
  ])('%s', (toml, problem) => {
    expect(problemsOf(withSettings(toml))).toContain(problem)
  })

  it('a missing or empty instruction, missing tests, a missing environment, all at once', () => {
    const task = taskWith({ 'task.toml': 'version = "1.0"\n', 'instruction.md': ' \n' })
    expect(problemsOf(task)).toEqual([
      'instruction.md: is empty: the agent would get no instruction',
      'tests/test.sh: is missing',
      'environment/Dockerfile: is missing, and task.toml names no docker_image',
    ])
  })

  it('steps on disk that task.toml does not list', () => {
    const task = taskWith({ 'task.toml': 'version = "1.0"\n', 'steps/one/instruction.md': 'x' })
    expect(problemsOf(task)[0]).toContain('[[steps]] must list what is in it')
  })
})

it('names features that no sandbox here supports', () => {
  const task = sound(
    withSettings(
      `[environment]
gpus = 1
[[environment.mcp_servers]]
name = "files"
transport = "sse"
url = "http://mcp:8000"
[verifier]
environment_mode = "separate"
`,
      { 'environment/docker-compose.yaml': 'services:\n  main: { privileged: true }\n  db: { image: postgres }\n' },
    ),
  )
  expect(task.unsupported).toEqual([
    'environment/docker-compose.yaml: the service "db"',
    'environment/docker-compose.yaml: services.main.privileged',
    'task.toml: environment.gpus: 1',
    'task.toml: environment.mcp_servers: "files"',
    'task.toml: verifier: an environment of its own',
  ])
})

it('lists the needs of Dockerfile and tests, line by line', () => {
  const task = sound(
    taskWith(
      harbor({
        'environment/Dockerfile': `# syntax=docker/dockerfile:1
FROM python:3.12-slim AS base
RUN apt-get update && \\
    # for the server
    apt-get install -y --no-install-recommends curl git && \\
    rm -rf /var/lib/apt/lists/*
RUN ["pip", "install", "flask==3.0.0"]
FROM base
ENV A=1
RUN DEBIAN_FRONTEND=noninteractive pip3 install pytest; curl -L https://example.com/x -o x
COPY . /app
`,
        'tests/test.sh': '#!/bin/bash\ncd /app\npython3 -m pytest /tests -rA\nuvx ruff check\n',
      }),
    ),
  )
  expect(task.needs.map(({ kind, what, where }) => `${kind}: ${what} (${where})`)).toEqual([
    'image: python:3.12-slim (environment/Dockerfile:2)',
    'package: apt-get install -y --no-install-recommends curl git (environment/Dockerfile:3)',
    'package: pip install flask==3.0.0 (environment/Dockerfile:7)',
    'package: pip3 install pytest (environment/Dockerfile:10)',
    'download: curl -L https://example.com/x -o x (environment/Dockerfile:10)',
    'program: pytest (tests/test.sh:3)',
    'package: uvx ruff check (tests/test.sh:4)',
  ])
})
