import type { Template } from '../../define/dialects/for-help.ts'

const experiment = `# yaml-language-server: $schema=@schema@
name: first-tasks
description: Which agent solves my tasks, how reliably, and at what cost?

# What a run does: an agent works on a task in a sandbox; then the task's tests score what it has left there.
target:
  kind: task

# oracle applies the task's own solution, nop does nothing: one must pass and the other fail, or the tests are no good.
# Then put in agents of yours: codex, claude, gemini, aider, or a command.
factors:
  agent: [oracle, nop]

# Every agent gets the same tasks. Folders of Harbor, terminal-bench and OneShot work as they are: assay tasks list tasks
blocks:
  task: tasks/*

replicates: 3

limits:
  jobs: 2
`

const settings = `schema_version = "1.4"

[task]
name = "mine/word-count"
description = "Count words, not spaces"

[metadata]
difficulty = "easy"

[agent]
timeout_sec = 600

[verifier]
timeout_sec = 60

[environment]
cpus = 1
memory_mb = 1024
allow_internet = false
`

const instruction = `\`/app/count.py\` prints how many words a file has: \`python3 /app/count.py FILE\`.

It counts wrongly where words are separated by several spaces, tabs or line breaks. Fix it. An empty file has 0 words.
`

const dockerfile = `FROM python:3.12-slim
WORKDIR /app
COPY count.py /app/
`

const program = `import sys

with open(sys.argv[1]) as file:
    print(len(file.read().split(" ")))
`

const tests = `#!/bin/sh
# Run after the agent has ended. What it writes to reward.txt, from 0 to 1, is the score.
reward=0
if python3 /tests/check.py; then reward=1; fi
mkdir -p /logs/verifier
echo "$reward" > /logs/verifier/reward.txt
`

const check = `import subprocess
import sys

# The agent never sees these texts.
for text, words in [("", 0), ("one", 1), ("two  words", 2), ("\\ta b\\n\\nc \\n", 3)]:
    with open("/tmp/text.txt", "w") as file:
        file.write(text)
    ended = subprocess.run([sys.executable, "/app/count.py", "/tmp/text.txt"], capture_output=True, text=True)
    if ended.stdout.strip() != str(words):
        sys.exit(f"{text!r} has {words} words, not {ended.stdout.strip()}")
`

const solution = `#!/bin/sh
# For the agent oracle alone: shows that the task can be solved.
sed -i 's/split(" ")/split()/' /app/count.py
`

const place = 'tasks/word-count'

export const taskTemplate: Template = {
  name: 'task',
  summary: 'let agents work on tasks in sandboxes, scored by tests',
  config: 'experiment.yaml',
  files: [
    { path: 'experiment.yaml', text: experiment },
    { path: `${place}/task.toml`, text: settings },
    { path: `${place}/instruction.md`, text: instruction },
    { path: `${place}/environment/Dockerfile`, text: dockerfile },
    { path: `${place}/environment/count.py`, text: program },
    { path: `${place}/tests/test.sh`, text: tests, isExecutable: true },
    { path: `${place}/tests/check.py`, text: check },
    { path: `${place}/solution/solve.sh`, text: solution, isExecutable: true },
  ],
}
