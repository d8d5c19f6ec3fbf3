import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { defineExperiment, run } from '../../../src/api/index.ts'
import { assay, folderWith } from '../../support/assay.ts'

const echo = (more: string) =>
  `name: e\ntarget: { kind: command, command: [echo, "{x}"] }\nfactors: { x: [1, 2] }\n${more}`

it('refuses contradictions instead of choosing', async () => {
  const cwd = folderWith({ 'one.yaml': echo(''), 'two.yaml': echo('') })
  const both = await assay(['plan', 'one.yaml', '-c', 'two.yaml'], { cwd })
  expect(both).toMatchObject({ status: 2, stderr: 'error: two experiments are named: one.yaml and two.yaml\n' })
  const opposite = await assay(['run', 'one.yaml', '--fail-fast', '--keep-going'], { cwd })
  expect(opposite).toMatchObject({ status: 2, stderr: 'error: --fail-fast and --keep-going contradict each other\n' })
})

it.each([
  ['an alias that contains itself', 'e.yaml', 'params: &p { self: *p }', 'this alias contains itself'],
  ['a file nested too deeply', 'e.json', `${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'nested'],
])('%s is an error in the file, not a crash', async (_, file, text, message) => {
  const { status, stderr } = await assay(['plan', file], { cwd: folderWith({ [file]: text }) })
  expect(status).toBe(2)
  expect(stderr).toContain(message)
})

it('an expression nested too deeply is an error, not a crash', async () => {
  const cwd = folderWith({ 'e.yaml': echo('') })
  const filter = `${'('.repeat(20_000)}x == 1${')'.repeat(20_000)}`
  const { status, stderr } = await assay(['plan', 'e.yaml', '--filter', filter], { cwd })
  expect(status).toBe(2)
  expect(stderr).toContain('nested too deeply')
})

it('the command line refuses to run an experiment made in code', async () => {
  const cwd = folderWith()
  const squares = defineExperiment({ name: 'squares', factors: { x: [1] }, target: ({ x }) => ({ y: Number(x) ** 2 }) })
  await run(squares, { dir: join(cwd, 'results/squares') })
  for (const words of [['run'], ['plan'], ['worker']])
    expect(await assay([...words, 'results/squares'], { cwd })).toMatchObject({
      status: 2,
      stderr:
        'error: this experiment was defined in code: its target is a function in a script\n' +
        'Run that script again to execute the missing runs.\n',
    })
})

it('collect keeps the seed that pairs runs, beside the seed of each replicate', async () => {
  const cwd = folderWith({ 'e.yaml': echo('seeds: [7]\nreplicates: 2\n') })
  await assay(['run', 'e.yaml', '-q'], { cwd })
  await assay(['collect', 'results/e'], { cwd })
  const [head = '', ...rows] = readFileSync(join(cwd, 'results/e/aggregate/runs.csv'), 'utf8').trim().split('\n')
  const at = (name: string) => head.split(',').indexOf(name)
  expect(new Set(rows.map(row => row.split(',')[at('seed')]))).toEqual(new Set(['7']))
  expect(new Set(rows.map(row => row.split(',')[at('run_seed')])).size).toBe(2)
})

it('status reports runs dropped from the definition, and run reports those of another experiment', async () => {
  const failing = 'name: e\ntarget: { kind: command, command: [sh, -c, "exit {x}"] }\nfactors: { x: [0, 1] }\n'
  const cwd = folderWith({ 'e.yaml': failing, 'other.yaml': echo('').replace('x: [1, 2]', 'x: [5]') })
  await assay(['run', 'e.yaml', '-q'], { cwd })
  await assay(['run', 'e.yaml', '-q', '--filter', 'x=0'], { cwd })
  expect((await assay(['status', 'results/e'], { cwd })).stdout).toContain('e: 2 runs: 1 completed, 1 failed')
  await assay(['run', 'e.yaml', '-q', '--set', 'x=0'], { cwd })
  const { stdout } = await assay(['status', 'results/e'], { cwd })
  expect(stdout).toContain('also in the journal: 1 finished run that is no longer in the definition, 1 of them failed')
  const other = await assay(['run', 'other.yaml', '-vv'], { cwd })
  expect(other.stderr + other.stdout).toContain('this directory also contains 2 runs of another definition')
})

it('plan uses existing names, and why finds seed-1 beside seed-10', async () => {
  const cwd = folderWith({ 'e.yaml': echo('seeds: 1..10\n') })
  await assay(['run', 'e.yaml', '-q'], { cwd })
  const why = await assay(['why', 'results/e', 'x-1_seed-1'], { cwd })
  expect(why.stdout).toMatch(/^x-1_seed-1__/)
  const plan = await assay(['plan', 'e.yaml', '--set', 'x=1', '--seeds', '1', '--fresh', '--json'], { cwd })
  expect(JSON.parse(plan.stdout).runs[0].id).toMatch(/^x-1_seed-1__/)
})

it('drops an assignment whose parameter is absent', async () => {
  const text = `name: e
target: { kind: command, command: [echo, "--kind={kind}", "--depth={depth}"] }
factors: { kind: [flat, deep], depth: { values: [3], when: "kind == 'deep'" } }
`
  const { stdout } = await assay(['plan', 'e.yaml', '--json'], { cwd: folderWith({ 'e.yaml': text }) })
  const commands = JSON.parse(stdout).runs.map((run: { command: string[] }) => run.command.join(' '))
  expect(commands.sort()).toEqual(['echo --kind=deep --depth=3', 'echo --kind=flat'])
})

it('keeps letters of any script in names', async () => {
  const text = 'name: e\ntarget: { kind: command, command: ["true", "{w}"] }\nfactors: { w: [日本語, 中文, é] }\n'
  const { stdout } = await assay(['plan', 'e.yaml', '--json'], { cwd: folderWith({ 'e.yaml': text }) })
  const ids = JSON.parse(stdout).runs.map((run: { id: string }) => run.id.split('__')[0])
  expect(ids.sort()).toEqual(['w-é', 'w-中文', 'w-日本語'])
})
