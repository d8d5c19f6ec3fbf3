import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { benchmark, fileOfRun, needsBubblewrap, resultsOf, said } from './support.ts'

const withAgent = (command: string, more = ''): string => `
target:
  kind: task
  tasks: tasks/*
  sandbox: bubblewrap
  agents: { own: { command: [sh, -c, ${JSON.stringify(command)}] } }
  agent: own
${more}
`

describe('what a hostile agent leaves', () => {
  it('reaches no file of this machine through links where assay writes next', async () => {
    await needsBubblewrap()
    const outside = folderWith({ 'instruction.md': 'mine', 'test-stdout.txt': 'mine' })
    const link = (file: string, folder: string): string => `ln -sf ${join(outside, file)} ${folder}/${file}`
    const files = {
      'tasks/two/task.toml': '[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n',
      'tasks/two/environment/Dockerfile': 'FROM scratch\nWORKDIR /app\n',
      ...Object.fromEntries(
        ['one', 'two'].flatMap(name => [
          [`tasks/two/steps/${name}/instruction.md`, `Do step ${name}.\n`],
          // The program under test plants the second link: tests run what the agent wrote.
          [`tasks/two/steps/${name}/tests/test.sh`, '#!/bin/sh\n. ./work.sh\necho 1 > /logs/verifier/reward.txt\n'],
        ]),
      ),
    }
    const agent = `cat /logs/agent/instruction.md; rm /logs/agent/instruction.md; ${link('instruction.md', '/logs/agent')}; echo '${link('test-stdout.txt', '/logs/verifier')}' > work.sh`
    const cwd = benchmark(files, withAgent(agent))
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), said(ended)).toMatchObject({ completed: 1 })
    for (const file of ['instruction.md', 'test-stdout.txt'])
      expect(readFileSync(join(outside, file), 'utf8')).toBe('mine')
    expect(fileOfRun(cwd, 'logs/agent-two.log')).toBe('Do step two.\n')
    expect(resultsOf(cwd).total_score).toBe(1)
  })
})
