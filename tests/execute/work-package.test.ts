import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openWork, packWork } from '../../src/execute/work-package.ts'
import { perform } from '../../src/perform/perform.ts'
import { targetFor } from '../../src/targets/registry.ts'
import { experimentWith, jobWith, noLimits, programs, settingOf } from '../perform/support.ts'
import { temporaryDirectory } from '../process/support.ts'

const fingerprint = { hash: 'f', parts: {} }

function packed() {
  const here = temporaryDirectory()
  cpSync(programs, here, { recursive: true })
  const experiment = experimentWith(
    { kind: 'command', command: [join(here, 'prints.sh')], cwd: here },
    { folder: here, file: join(here, 'e.yaml'), inputs: ['/elsewhere/data.csv'], description: 'about a/b' },
  )
  return { here, experiment, work: packWork(settingOf(experiment, join(here, 'results/e')), fingerprint) }
}

it('contains no path of the machine that made it', () => {
  const { here, work } = packed()
  expect(JSON.stringify(work)).not.toContain(here)
  expect(work.dir).toBe('results/e')
  // A path outside the folder is intentional.
  expect(work.experiment).toContain('/elsewhere/data.csv')
})

it('has the same hash for the same work in any folder, and another for other work', () => {
  const { work, here, experiment } = packed()
  expect(packed().work).toEqual(work)
  const other = settingOf({ ...experiment, description: 'other' }, join(here, 'results/e'))
  expect(packWork(other, fingerprint).hash).not.toBe(work.hash)
})

it('is performed from its JSON alone, in another directory', async () => {
  const { experiment, work } = packed()
  const there = temporaryDirectory()
  cpSync(programs, there, { recursive: true })
  const setting = openWork(JSON.parse(JSON.stringify(work)), { folder: there }, targetFor)
  expect(setting.dir).toBe(join(there, 'results/e'))
  expect(setting.experiment).toEqual({
    ...JSON.parse(JSON.stringify(experiment)),
    ...{ folder: there, file: join(there, 'e.yaml') },
    target: { kind: 'command', command: [join(there, 'prints.sh')], cwd: there },
  })
  const result = await perform(jobWith(), setting, {
    ...{ signal: new AbortController().signal, permits: noLimits(), modelIds: new Map() },
    ...{ onPoint() {}, onNote() {}, onStarted() {} },
  })
  expect(result).toMatchObject({ outcome: { kind: 'completed' }, place: 'runs/the-run', cwd: there })
})

it('is refused by name when a newer version gave it a limit that is not known here', () => {
  const { here, experiment } = packed()
  const limits = Object.assign({ run_gpu_s: 60 }, experiment.limits)
  const work = packWork(settingOf({ ...experiment, limits }, join(here, 'results/e')), fingerprint)
  const newer = `the work package ${work.hash} is of a newer assay (this one does not know the limit run_gpu_s)`
  expect(() => openWork(work, { folder: here }, targetFor)).toThrow(newer)
})

it('is refused when it is damaged', () => {
  const { work } = packed()
  const damaged = { ...work, dir: '../..' }
  expect(() => openWork(damaged, { folder: '/tmp' }, targetFor)).toThrow('is damaged')
})
