import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { applyOverrides } from '../../src/targets/task/formats/oneshot/apply-overrides.ts'
import { removedPaths } from '../../src/targets/task/formats/oneshot/removed-paths.ts'
import { readTasks } from '../../src/targets/task/read-tasks.ts'
import type { PlacedFile, Solution, Task, TaskStep, Tests } from '../../src/targets/task/task.ts'
import { folderWith } from '../support/assay.ts'
import { needs } from '../support/needs.ts'

const examples = fileURLToPath(new URL('../../examples/tasks', import.meta.url))
const tasks = [...readTasks(examples)].flatMap(task => (task.kind === 'task' ? [task] : []))
const hasPrograms = ['python3', 'git'].every(program => spawnSync(program, ['--version']).status === 0)

/**
 * Without a sandbox: the scripts of these tasks take their folders from variables, so a copy elsewhere will do. Whether a
 * task keeps its tests from an agent is the business of `assay tasks check`.
 */
describe('every example task fails unsolved and passes with its solution', () => {
  it('has twelve tasks, four of each format', () => {
    expect([...readTasks(examples)].filter(({ kind }) => kind === 'broken')).toEqual([])
    const count = (format: string) => tasks.filter(task => task.format === format).length
    expect(['harbor', 'terminal-bench', 'oneshot'].map(count)).toEqual([4, 4, 4])
    expect(tasks.flatMap(({ notes, unsupported }) => [...notes, ...unsupported])).toEqual([])
  })

  it('need only the Python image', () => {
    expect(new Set(tasks.flatMap(task => task.needs.map(({ what }) => what)))).toEqual(new Set(['python:3.12-slim']))
  })

  it.each(tasks.map(task => [task.dir.slice(examples.length + 1), task] as const))('%s', (_, task) => {
    needs(hasPrograms, 'python3 and git are not both installed')
    trySteps(task)
    if (task.overrides !== null) trySteps(applyOverrides(task, task.overrides).task)
  })
})

function trySteps(task: Task): void {
  const app = folderWith()
  prepare(task, app)
  for (const step of task.steps) {
    if (step.workdir !== null) {
      cpSync(step.workdir.folder, app, { recursive: true })
      if (step.workdir.hasSetup) expect(shell('./setup.sh', app).status).toBe(0)
    }
    expect(scoreOf(step, task, app), `${task.id}, ${step.name}, unsolved`).toBeLessThan(1)
    solve(step.solution, app)
    expect(scoreOf(step, task, app), `${task.id}, ${step.name}, solved`).toBe(1)
  }
}

/** The files that the Dockerfile copies, or the repository. */
function prepare({ environment }: Task, app: string): void {
  if (environment.repo?.kind !== 'folder') {
    cpSync(join(environment.context ?? '', 'app'), app, { recursive: true })
    return
  }
  cpSync(environment.repo.path, app, { recursive: true })
  for (const path of removedPaths(app, environment.remove)) rmSync(join(app, path), { recursive: true })
  for (const { from, to } of environment.overlays)
    if ('text' in from && to.startsWith('/app/repo/')) write(join(app, to.slice('/app/repo/'.length)), from.text)
}

function solve(solution: Solution | null, app: string): void {
  if (solution === null || solution.kind === 'keystrokes') throw new Error('there is no solution')
  if (solution.kind === 'patch') {
    const file = 'file' in solution.patch ? solution.patch.file : ''
    expect(spawnSync('git', ['apply', file], { cwd: app, encoding: 'utf8' }).stderr).toBe('')
    return
  }
  const [script = ''] = solution.command.slice(-1)
  const ended = shell(`sh '${join(placed(solution.files), script)}'`, app, { APP_DIR: app })
  expect(ended.status, ended.stderr).toBe(0)
}

function scoreOf({ tests }: TaskStep, task: Task, app: string): number {
  if (tests.kind === 'files') return rubricScore(tests, task, app)
  if (tests.kind === 'patch') throw new Error('no example is of this kind')
  const root = placed(tests.files)
  const logs = join(root, 'logs')
  const [script = ''] = tests.command.slice(-1)
  const env = { APP_DIR: app, TEST_DIR: join(root, 'tests'), LOG_DIR: logs }
  const { stdout } = shell(`sh '${join(root, script)}'`, app, env)
  return tests.scoring === 'reward' ? rewardIn(logs) : passedIn(stdout)
}

function rewardIn(logs: string): number {
  const text = join(logs, 'reward.txt')
  if (existsSync(text)) return Number(readFileSync(text, 'utf8'))
  return JSON.parse(readFileSync(join(logs, 'reward.json'), 'utf8')).reward
}

function passedIn(output: string): number {
  const [, summary = ''] = output.split(/=+ short test summary info =+\n/)
  const states = summary.split('\n').flatMap(line => /^(PASSED|FAILED) \S+::\S+/.exec(line)?.[1] ?? [])
  expect(states.length).toBeGreaterThan(0)
  return states.filter(state => state === 'PASSED').length / states.length
}

function rubricScore({ files }: Extract<Tests, { kind: 'files' }>, { rubrics }: Task, app: string): number {
  const copy = folderWith()
  cpSync(app, copy, { recursive: true })
  for (const { path, content } of files) write(join(copy, path), content)
  const passed = files.filter(({ command }) => shell(command ?? '', copy).status === 0)
  const shares = rubrics.map(({ id, weight }) => {
    const own = files.filter(({ rubricId }) => rubricId === id)
    return (weight * passed.filter(file => own.includes(file)).length) / own.length
  })
  const all = rubrics.reduce((sum, { weight }) => sum + weight, 0)
  return Number((shares.reduce((sum, share) => sum + share, 0) / all).toFixed(9))
}

/** A folder that represents the root of a box. */
function placed(files: readonly PlacedFile[]): string {
  const root = folderWith()
  for (const { from, to } of files) {
    const source = 'folder' in from ? from.folder : 'file' in from ? from.file : ''
    mkdirSync(dirname(join(root, to)), { recursive: true })
    cpSync(source, join(root, to), { recursive: true })
  }
  return root
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const shell = (line: string, cwd: string, env: Readonly<Record<string, string>> = {}) =>
  spawnSync('bash', ['-c', line], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...env },
    timeout: 120_000,
  })
