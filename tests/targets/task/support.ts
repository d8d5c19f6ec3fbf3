import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseSandbox } from '../../../src/process/sandbox/sandbox.ts'
import { type Ended, folderWith } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { needs } from '../../support/needs.ts'

/** Skips the test where this machine has no bubblewrap, or does not let it make namespaces. */
export async function needsBubblewrap(): Promise<void> {
  const problem = await chooseSandbox('bubblewrap', process.env).then(
    () => null,
    (error: Error) => error.message,
  )
  needs(problem === null, problem ?? '')
}

/** A Harbor task whose tests want /app/answer.txt to hold 42. */
export const answerTask = (over: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  'tasks/answer/task.toml': `[metadata]
difficulty = "easy"
[agent]
timeout_sec = 600.0
[verifier]
timeout_sec = 600.0
[environment]
memory_mb = 512
`,
  'tasks/answer/instruction.md': 'Write the answer to everything to /app/answer.txt.\n',
  'tasks/answer/environment/Dockerfile': 'FROM python:3.12-slim\nWORKDIR /app\nCOPY question.txt .\n',
  'tasks/answer/environment/question.txt': 'What is six times seven?\n',
  'tasks/answer/tests/test.sh': `#!/bin/sh
echo "the tests look at $(cat answer.txt 2>/dev/null)"
if [ "$(cat answer.txt 2>/dev/null)" = 42 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`,
  'tasks/answer/solution/solve.sh': '#!/bin/sh\necho 42 > answer.txt\n',
  ...over,
})

/** An experiment with these tasks, in its own folder. */
export const benchmark = (files: Readonly<Record<string, string>>, experiment: string): string =>
  folderWith({ ...files, 'experiment.yaml': `name: bench\n${experiment}` })

type Facts = Partial<Record<'sandbox' | 'message' | 'error_class', string>>

interface AttemptRow {
  readonly number: number
  readonly outcome: string
  readonly facts: string
  readonly mode: string
}

/** The outcome of every attempt, in order, with its facts. */
export const attemptsOf = (cwd: string) =>
  journalRows<AttemptRow>(
    join(cwd, 'results', 'bench'),
    'SELECT number, outcome, facts, mode FROM attempts ORDER BY id',
  ).map(({ number, outcome, facts, mode }) => ({
    number,
    mode,
    outcome,
    ...(JSON.parse(facts || '{}') as Facts),
  }))

export const runFolders = (cwd: string): readonly string[] =>
  journalRows<{ name: string }>(join(cwd, 'results', 'bench'), 'SELECT name FROM runs ORDER BY id').map(({ name }) =>
    join(cwd, 'results', 'bench', 'runs', name),
  )

/** A file of the only run. */
export function fileOfRun(cwd: string, path: string): string {
  const [folder = ''] = runFolders(cwd)
  const file = join(folder, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : `there is no ${path}`
}

export const resultsOf = (cwd: string) =>
  JSON.parse(fileOfRun(cwd, 'evaluation_results.json')) as {
    readonly total_score: number | null
    readonly evaluation: {
      readonly total_score: number | null
      readonly rubrics: Record<string, { score: number | null }>
    }
    readonly agent_metrics: Record<string, unknown>
    readonly lm_evaluation?: {
      readonly weighted_score: number
      readonly agreement: number | null
      readonly rubric_scores: readonly Record<string, unknown>[]
    }
    readonly standard_metrics: Record<string, number>
    readonly custom_metrics: Record<string, number>
    readonly sandbox: Record<string, unknown>
    readonly problem?: string
  }

/** The output of a run of assay, for messages of failed tests. */
export const said = ({ stdout, stderr }: Ended): string => `${stdout}\n${stderr}`
