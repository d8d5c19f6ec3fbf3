import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { appeared } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { needsProc } from '../support/needs.ts'

it('a gigabyte of output goes to its file, not through assay’s memory', async () => {
  needsProc()
  const cwd = folderWith({
    'much.sh': `#!/bin/sh
head -c 1G /dev/zero
touch written
while [ ! -e go ]; do sleep 0.02; done
`,
    'experiment.yaml': `
name: much
target: { kind: command, command: [./much.sh] }
metrics: { score: { regex: 'score=(\\d+)', file: stdout.txt } }
`,
  })
  const { child, ended } = startAssay(['run', '--json'], { cwd })
  await appeared(join(cwd, 'written'))
  expect(peakMegabytes(child.pid ?? 0)).toBeLessThan(250)
  writeFileSync(join(cwd, 'go'), '')
  expect((await ended).status).toBe(0)

  const dir = join(cwd, 'results', 'much')
  const [run = ''] = readdirSync(join(dir, 'runs'))
  expect(statSync(join(dir, 'runs', run, 'stdout.txt')).size).toBe(2 ** 30)
  expect(journalRows(dir, 'SELECT name, value, problem FROM metrics')).toEqual([
    { name: 'score', value: null, problem: expect.stringMatching(/stdout\.txt/) },
  ])
})

const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

it('output that is not UTF-8 is kept byte for byte, and its failure can still be read', async () => {
  const cwd = folderWith({
    'odd.sh': `#!/bin/sh
printf 'caf\\351 \\377\\376\\n'
printf 'bad \\351\\033[31m end\\n' >&2
exit 3
`,
    'experiment.yaml': 'name: odd\ntarget: { kind: command, command: [./odd.sh] }\n',
  })
  const ended = await assay(['run'], { cwd })
  expect(ended.status).toBe(1)
  expect(ended.stdout).toContain('exit_code=3  bad � [31m end')
  const dir = join(cwd, 'results', 'odd', 'runs')
  const [run = ''] = readdirSync(dir)
  expect(readFileSync(join(dir, run, 'stdout.txt'), 'latin1')).toBe('caf\xe9 \xff\xfe\n')
  expect(readFileSync(join(dir, run, 'stderr.txt'), 'latin1')).toBe('bad \xe9\x1b[31m end\n')

  const json = await assay(['run', '--retry-failed', '--json'], { cwd })
  expect(summaryOf(json)).toMatchObject({ failed: 1, attempts: 2 })
  expect(json.stdout).toContain('"stderr_tail":"bad � [31m end"')
})
