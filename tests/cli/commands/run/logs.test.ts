import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith } from '../../../support/assay.ts'
import { prepared } from '../../../support/prepared.ts'

const talking = {
  'experiment.yaml': `
name: talk
target: { kind: command, command: [node, talk.mjs, "{lines}"] }
factors: { lines: [2, 5000] }
`,
  'talk.mjs': `const lines = Number(process.argv[2])
for (let at = 1; at <= lines; at++) console.log('line ' + at + ' of grüße \\u001b[2J')
console.error('warning: \\u001b]0;title\\u0007 disk full')
process.exit(lines === 2 ? 3 : 0)
`,
}

const ran = prepared(async () => {
  const cwd = folderWith(talking)
  await assay(['run', '-q'], { cwd })
  return cwd
})

it('shows output and outcome of a run, safely for the terminal', async () => {
  const cwd = await ran()
  const { stdout, status } = await assay(['logs', 'results/talk', 'lines-2'], { cwd })
  expect(status).toBe(0)
  expect(stdout.replaceAll(/__[0-9a-f]{12}/g, '')).toBe(
    [
      'lines-2: failed, exit code 3: the program ended with exit code 3',
      '',
      '── stdout.txt, 46 B',
      'line 1 of grüße',
      'line 2 of grüße',
      '',
      '── stderr.txt, 30 B',
      'warning:  disk full',
      '',
    ].join('\n'),
  )
})

it('shows the end of long output, all of it on request, and both as JSON', async () => {
  const cwd = await ran()
  const shown = (await assay(['logs', 'lines-5000'], { cwd })).stdout.split('\n')
  expect(shown.filter(line => line.startsWith('line '))).toHaveLength(100)
  expect(shown).toContain('… --all shows what comes before')
  expect(shown).toContain('line 5000 of grüße')
  const all = (await assay(['logs', 'lines-5000', '--all'], { cwd })).stdout.split('\n')
  expect(all.filter(line => /^line \d+ of grüße$/.test(line))).toHaveLength(5000)
  const told = JSON.parse((await assay(['logs', 'lines-5000', '--all', '--json'], { cwd })).stdout)
  expect(told).toMatchObject({
    kind: 'logs',
    state: 'completed',
    files: [{ path: 'stdout.txt' }, { path: 'stderr.txt' }],
  })
  expect(Buffer.byteLength(told.files[0].text)).toBe(told.files[0].bytes)
})

it('also shows files in logs/, and names an attempt that has none', async () => {
  const cwd = await ran()
  const runs = join(cwd, 'results/talk/runs')
  const folder = readdirSync(runs).find(name => name.startsWith('lines-2')) ?? ''
  mkdirSync(join(runs, folder, 'logs'))
  writeFileSync(join(runs, folder, 'logs/build.log'), 'built\n')
  expect((await assay(['logs', join('results/talk/runs', folder)], { cwd })).stdout).toContain(
    '── logs/build.log, 6 B\nbuilt\n',
  )
  const missing = await assay(['logs', 'lines-2', '--attempt', '4'], { cwd })
  expect(missing.status).toBe(2)
  expect(missing.stderr).toContain('has no files of attempt 4')
  expect((await assay(['logs'], { cwd })).stderr).toContain('`assay logs` needs an experiment and a run')
})
