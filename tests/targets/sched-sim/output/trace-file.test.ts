import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { simulateIntoFiles } from '../../../../src/targets/sched-sim/output/write-outputs.ts'
import type { SimSettings } from '../../../../src/targets/sched-sim/settings.ts'
import { folderWith } from '../../../support/assay.ts'
import { record } from '../support/record.ts'
import { settingsWith } from '../support/settings.ts'

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly ts: number
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly cat?: string
  readonly args?: Readonly<Record<string, unknown>>
}

function traceOf(settings: SimSettings, trace: 'all' | 'attempts'): readonly TraceEvent[] {
  const outDir = folderWith()
  simulateIntoFiles(settings, { outDir, trace })
  return JSON.parse(readFileSync(join(outDir, 'trace.json'), 'utf8'))
}

const settings = settingsWith({ workflows: 15 })

test('every event is one of Chrome’s format', () => {
  for (const event of traceOf(settings, 'all')) {
    expect(event).toMatchObject({ name: expect.any(String), ph: expect.stringMatching(/^[XiM]$/) })
    for (const key of ['ts', 'pid', 'tid'] as const) expect(Number.isInteger(event[key]), key).toBe(true)
    if (event.ph === 'X') expect(event.dur).toBeGreaterThanOrEqual(0)
  }
})

test('it has the documented events, each with the right count', () => {
  const events = traceOf(settings, 'all')
  const { happenings, started, ended } = record(settings)
  const count = (name: string) => events.filter(event => event.name === name && event.ph === 'i').length
  const happened = (kind: string) => happenings.filter(happening => happening.kind === kind).length
  const endings = (...wanted: string[]) => ended.filter(({ ending }) => wanted.includes(ending)).length
  expect(count('NodeRunnable')).toBe(happened('runnable'))
  expect(count('NodeQueued')).toBe(happened('queued'))
  expect(count('AttemptStart')).toBe(started.length)
  expect(count('AttemptFinish')).toBe(endings('ok'))
  expect(count('AttemptFail')).toBe(endings('failed', 'timeout'))
  expect(count('AttemptCancel')).toBe(endings('cancelled'))
  expect(count('HedgeLaunched')).toBe(started.filter(({ attempt }) => attempt.isHedge).length)
  expect(count('WorkflowDone')).toBe(15)
  for (const name of ['AttemptFail', 'AttemptCancel', 'HedgeLaunched']) expect(count(name), name).toBeGreaterThan(0)
})

test('slices of one lane never overlap, and there is one per attempt', () => {
  const slices = traceOf(settings, 'attempts').filter(({ cat }) => cat === 'attempt')
  expect(slices).toHaveLength(record(settings).started.length)
  const lanes = Map.groupBy(slices, ({ pid, tid }) => `${pid}/${tid}`)
  // 4 + 8 embed, 2 + 4 LLM, 4 cpu and 2 io at most.
  expect(lanes.size).toBeLessThanOrEqual(24)
  for (const [, lane] of lanes) {
    const sorted = lane.toSorted((a, b) => a.ts - b.ts || (a.dur ?? 0) - (b.dur ?? 0))
    sorted.slice(1).forEach((slice, index) => {
      const before = sorted[index]
      expect(slice.ts).toBeGreaterThanOrEqual((before?.ts ?? 0) + (before?.dur ?? 0))
    })
  }
})

test('a process is named once, after its tier', () => {
  const names = traceOf(settings, 'attempts').filter(({ ph }) => ph === 'M')
  expect(names.map(({ args }) => args?.name).sort()).toEqual(
    ['cpu', 'embed_provider_0', 'io', 'llm_provider_0', 'llm_provider_1', 'workflows'].sort(),
  )
  expect(new Set(names.map(({ pid }) => pid)).size).toBe(names.length)
})

test('nodes are numbered through all iterations, from 1', () => {
  const several = settingsWith({ workflows: 3, pdfs: 1, subqueries: 0 })
  const nodes = traceOf(several, 'all').flatMap(({ name, args }) =>
    name === 'NodeRunnable' && args?.wf === 1 ? [Number(args.node)] : [],
  )
  expect(nodes.sort((a, b) => a - b)).toEqual(Array.from({ length: 18 }, (_, index) => index + 1))
})

test('attempts alone are fewer than all, and include failures', () => {
  const names = (trace: 'all' | 'attempts') => new Set(traceOf(settings, trace).map(({ name }) => name))
  expect(names('attempts').has('NodeQueued')).toBe(false)
  for (const name of ['AttemptFail', 'AttemptCancel', 'HedgeLaunched', 'WorkflowDone'])
    expect(names('attempts').has(name), name).toBe(true)
})

test('names with quotes in them are quoted', () => {
  const step = { after: [], for_each: [], size: 0, service_ms: 5, critical: false, decides: false }
  const odd = settingsWith(
    { workflows: 1 },
    { steps: { 'say "hi"\\': { ...step, on: 'a "b"' } }, local: { 'a "b"': { slots: 1 } } },
  )
  expect(traceOf(odd, 'all').some(({ name }) => name === 'say "hi"\\')).toBe(true)
})
