import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith } from '../support/assay.ts'
import { answerTask } from '../targets/task/support.ts'

const experiment = `name: bench
target: { kind: task, tasks: tasks/*, agents: { mine: { command: ['true'] } } }
factors: { agent: [oracle, nop] }
`

const planned = async (cwd: string, ...options: readonly string[]) => {
  const { stdout, stderr } = await assay(['plan', '--json', ...options], { cwd })
  const { runs } = JSON.parse(stdout || `{"error":${JSON.stringify(stderr)}}`)
  return runs.map((run: { params: { agent: string }; replicate: number }) => [run.params.agent, run.replicate])
}

it('--agent replaces the agents of the file, and --rollouts sets the rollouts of each task', async () => {
  const cwd = folderWith({ ...answerTask(), 'experiment.yaml': experiment })
  expect(await planned(cwd)).toHaveLength(2)
  expect(await planned(cwd, '--agent', 'mine', '-k', '3')).toEqual([
    ['mine', 1],
    ['mine', 2],
    ['mine', 3],
  ])
})

it.each([
  [['--agent', 'orcle'], 'there is no agent "orcle"; known: assay, oracle, nop, codex, claude, aider, gemini, mine'],
  [['--rollouts', '2.5'], 'expected'],
  [['--sandbox', 'dokcer'], 'did you mean "docker"'],
])('refuses %j', async (options, message) => {
  const cwd = folderWith({ ...answerTask(), 'experiment.yaml': experiment })
  const { status, stderr } = await assay(['run', ...options], { cwd })
  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

it('refuses task options without tasks, and options that need the file with a directory only', async () => {
  const cwd = folderWith({
    'experiment.yaml': `name: other\ntarget: { kind: command, command: ['true'] }\n`,
  })
  const other = await assay(['run', '--sandbox', 'process'], { cwd })
  expect(other.stderr).toContain('--sandbox: a target of kind "command" runs no tasks in sandboxes')
  await assay(['run'], { cwd })
  const directory = await assay(['run', join('results', 'other'), '--agent', 'nop'], { cwd })
  expect(directory.stderr).toContain('--agent needs the configuration file')
})
