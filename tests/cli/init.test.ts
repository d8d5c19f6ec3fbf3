import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { needsScript } from '../support/needs.ts'
import { fakeIo } from './fake-io.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'assay-init-'))

it('writes the command template without a terminal, and says so', async () => {
  const io = fakeIo('init sweeps', { cwd: newFolder() })
  expect(await runCli(io)).toBe(0)
  expect(io.stdout.text()).toMatchInlineSnapshot(`
    "wrote sweeps/experiment.yaml and sweeps/simulate.mjs
    see what it would run:  assay plan sweeps/experiment.yaml
    run it:                 assay run sweeps/experiment.yaml
    "
  `)
  expect(io.stderr.text()).toContain('using the template "command"')
  const written = readFileSync(join(io.cwd, 'sweeps', 'experiment.yaml'), 'utf8')
  expect(written).toMatch(/^# yaml-language-server: \$schema=\S+schema\/experiment.schema.json\n/)
})

it('keeps results out of git, unless there is a .gitignore already', async () => {
  const cwd = newFolder()
  await runCli(fakeIo('init', { cwd }))
  expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('results/\n')
  writeFileSync(join(cwd, '.gitignore'), 'mine\n')
  await runCli(fakeIo('init --force', { cwd }))
  expect(readFileSync(join(cwd, '.gitignore'), 'utf8')).toBe('mine\n')
})

it('asks on a terminal, until the answer is one', async () => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const io = fakeIo('init', { cwd: newFolder(), stdin, isTTY: true })
  stdin.write('7\nfuncton\n2\n')
  expect(await runCli(io)).toBe(0)
  expect(io.stdout.text()).toMatchInlineSnapshot(`
    "What does a run do?
      1  run a program with different arguments  (command)
      2  call a function in JavaScript or TypeScript  (function)
      3  compare prompts and language models on cases of your own  (prompt)
      4  let agents work on tasks in sandboxes, scored by tests  (task)
      5  let models negotiate in a scenario, many times, under a budget  (scenario)
      6  a matrix of parameters, seeds and ablations in JSON  (matrix-json)
    1, 2, 3, 4, 5 or 6 [1]: expected 1, 2, 3, 4, 5 or 6, or a name, got "7"
    1, 2, 3, 4, 5 or 6 [1]: expected 1, 2, 3, 4, 5 or 6, or a name, got "functon"; did you mean "function"?
    1, 2, 3, 4, 5 or 6 [1]: wrote experiment.yaml and descend.mjs
    see what it would run:  assay plan experiment.yaml
    run it:                 assay run experiment.yaml
    "
  `)
  const choices = io.stdout.text().match(/^ {2}\d .*$/gm) ?? []
  expect(Math.max(...choices.map(line => line.length))).toBeLessThan(80)
})

it('never overwrites without --force', async () => {
  const cwd = newFolder()
  await runCli(fakeIo('init --template matrix-json', { cwd }))
  const again = fakeIo('init --template matrix-json', { cwd })
  expect(await runCli(again)).toBe(2)
  expect(again.stderr.text()).toContain('already there: ')
  expect(await runCli(fakeIo('init --template matrix-json --force', { cwd }))).toBe(0)
  expect(statSync(join(cwd, 'simulate.mjs')).mode & 0o111).not.toBe(0)
})

it('writes a readable task with executable scripts', async () => {
  const cwd = newFolder()
  expect(await runCli(fakeIo('init --template task', { cwd }))).toBe(0)
  const io = fakeIo('tasks list tasks --json', { cwd })
  expect(await runCli(io)).toBe(0)
  expect(JSON.parse(io.stdout.text()).tasks).toMatchObject([
    { id: 'mine/word-count', format: 'harbor', is_broken: false, steps: [{ has_solution: true }], notes: [] },
  ])
  expect(statSync(join(cwd, 'tasks/word-count/tests/test.sh')).mode & 0o111).not.toBe(0)
})

it('ends after the answer although the terminal stays open', async () => {
  needsScript()
  const program = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))
  const line = `${process.execPath} ${program} init`
  const terminal = spawn('/usr/bin/script', ['-qfec', line, '/dev/null'], { cwd: newFolder() })
  onTestFinished(() => void terminal.kill('SIGKILL'))
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', text => {
    const isAsked = shown.includes('[1]: ')
    shown += text
    if (!isAsked && shown.includes('[1]: ')) terminal.stdin.write('2\n')
  })
  expect(await once(terminal, 'close')).toEqual([0, null])
})
