import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { experimentDirectory } from '../../../src/record/places.ts'
import { experimentWith } from '../../plan/experiment.ts'
import { assay, complaint, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { waiting, waitingExperiment } from '../../support/waiting-program.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const today = new Date().toISOString().slice(0, 10)

describe('the directory of an experiment', () => {
  it('is named after it, and the newest series once there is one', () => {
    const cwd = folderWith()
    const experiment = experimentWith({ name: 'a b', out_root: 'results' })
    expect(experimentDirectory(experiment, { cwd, now })).toBe(join(cwd, 'results/a_b'))
    expect(experimentDirectory(experiment, { cwd, now, again: true })).toBe(join(cwd, 'results/a_b@2026-11-15'))
    for (const name of ['a_b@2026-11-15', 'a_b@2026-11-15.2', 'a_b@2026-11-15.10', 'a_b@2026-11-14.11'])
      mkdirSync(join(cwd, 'results', name), { recursive: true })
    expect(experimentDirectory(experiment, { cwd, now })).toBe(join(cwd, 'results/a_b@2026-11-15.10'))
    expect(experimentDirectory(experiment, { cwd, now, again: true })).toBe(join(cwd, 'results/a_b@2026-11-15.3'))
  })

  it('is exactly the given one, which no series replaces', () => {
    const experiment = experimentWith({ directory: { kind: 'exact', path: '/out/here' } })
    expect(experimentDirectory(experiment, { cwd: '/', now, renews: true })).toBe('/out/here')
    expect(() => experimentDirectory(experiment, { cwd: '/', now, again: true })).toThrow(
      'has one directory: /out/here',
    )
  })
})

const nightly = (directory: string, x = '[1, 2]') => `
name: nightly
directory: ${directory}
target: { kind: command, command: [sh, -c, 'test ! -e fails'] }
factors: { x: ${x} }
limits: { jobs: 1 }
`

describe('a dated series', () => {
  const start = (x?: string) => {
    const cwd = folderWith({ 'experiment.yaml': nightly('dated', x) })
    const run = async (...args: readonly string[]) => {
      const ended = await assay(['run', '--json', ...args], { cwd })
      const { dir, ...counts } = summaryOf(ended)
      return { ...counts, name: basename(String(dir)) }
    }
    return { cwd, run, all: () => readdirSync(join(cwd, 'results')).toSorted() }
  }

  it('starts a new one only once the newest is complete', async () => {
    const { cwd, run, all } = start()
    expect(await run('--first', '1')).toMatchObject({ name: `nightly@${today}`, completed: 1 })
    expect(await run()).toMatchObject({ name: `nightly@${today}`, completed: 2, reused: 1 })
    const { stdout } = await assay(['plan', '--json'], { cwd })
    expect(basename(JSON.parse(stdout).dir)).toBe(`nightly@${today}.2`)
    expect(summaryOf(await assay(['status', '--json'], { cwd }))).toMatchObject({ completed: 2, attempts: 2 })
    expect(all()).toEqual([`nightly@${today}`])
    expect(await run()).toMatchObject({ name: `nightly@${today}.2`, completed: 2, reused: 0, attempts: 2 })
    expect(all()).toEqual([`nightly@${today}`, `nightly@${today}.2`])
  })

  it('is complete when runs failed, and stays the newest, so that they can be retried', async () => {
    const { cwd, run } = start()
    writeFileSync(join(cwd, 'fails'), '')
    expect(await run()).toMatchObject({ name: `nightly@${today}`, failed: 2 })
    expect(await run('--retry-failed')).toMatchObject({ name: `nightly@${today}`, failed: 2, attempts: 4 })
    expect(await run('--resume')).toMatchObject({ name: `nightly@${today}`, failed: 2, attempts: 4 })
    expect(await run()).toMatchObject({ name: `nightly@${today}.2`, failed: 2, attempts: 2 })
  })

  it('continues after kill -9', async () => {
    const cwd = folderWith({
      'waits.sh': waiting,
      'experiment.yaml': `directory: dated${waitingExperiment('[1, 2, 3]', '{ jobs: 1 }')}`,
      'go-1': '',
    })
    const killed = startAssay(['run', '--json'], { cwd })
    await killed.said('"attempt_ended"')
    killed.child.kill('SIGKILL')
    await killed.ended
    writeFileSync(join(cwd, 'go'), '')
    const last = summaryOf(await assay(['run', '--json'], { cwd }))
    expect(last).toMatchObject({ dir: join(cwd, `results/waits@${today}`), completed: 3, reused: 1 })
  })
})

it('a path of its own is relative to the file', async () => {
  const cwd = folderWith({ 'sub/experiment.yaml': nightly('{ path: ../out }') })
  const ended = await assay(['run', 'sub/experiment.yaml', '--json'], { cwd })
  expect(summaryOf(ended)).toMatchObject({ dir: join(cwd, 'out'), completed: 2 })
  const again = await assay(['run', 'sub/experiment.yaml', '--again'], { cwd })
  expect(again.status).toBe(2)
  expect(complaint(again, { cwd })).toContain('this experiment has one directory: <cwd>/out')
})
