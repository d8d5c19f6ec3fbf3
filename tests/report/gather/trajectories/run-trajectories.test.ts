import { symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeAtif } from '../../../../src/models/trajectory/trajectory-files.ts'
import { isRead, type TrajectoryView } from '../../../../src/report/dataset/turns.ts'
import { gatherDataset } from '../../../../src/report/gather/gather-dataset.ts'
import { filesOf } from '../../../../src/report/gather/run-files.ts'
import {
  placeInFolder,
  trajectoriesOf,
  wholeTrajectoryIn,
} from '../../../../src/report/gather/trajectories/run-trajectories.ts'
import { trajectoryView } from '../../../../src/report/gather/trajectories/trajectory-view.ts'
import { evidenceOfTrajectories } from '../../../../src/report/gather/trajectory-evidence.ts'
import { aRun } from '../../../analyze/evidence.ts'
import { arbitraryTrajectory } from '../../../models/trajectory/arbitrary-trajectory.ts'
import { type AgentPlan, madeTrajectory } from '../../../support/agent-work.ts'
import { folderWith } from '../../../support/assay.ts'

const folderOf = (plan: AgentPlan): string => folderWith({ 'trajectory.json': writeAtif(madeTrajectory(plan)) })

function viewIn(folder: string, first = 1): TrajectoryView {
  const found = wholeTrajectoryIn(folder, first)
  if (found === null || !isRead(found)) throw new Error(found?.problem ?? 'there is none')
  return found
}

const gathered = (folders: readonly string[]) =>
  trajectoriesOf(
    folders.map((_, at) => aRun({ name: `run-${at}`, block: { task: `task-${at % 3}` }, metrics: { passed: at % 2 } })),
    filesOf(folders).lists.map((list, at) => placeInFolder(folders[at] ?? null, list)),
  )

describe('the trajectory of a run', () => {
  it('has every turn with its text, call, output, prompt and usage', () => {
    const view = viewIn(folderOf({ turns: 5, keep: 2 }))
    expect(view).toMatchObject({
      agent: 'assay 1',
      model: 'sim/x',
      strategy: 'made (n 2)',
      exit_status: 'submitted',
      turn_count: 5,
    })
    expect(view.opening.map(({ kind, text }) => [kind, text])).toEqual([
      ['system', 'You are an agent.'],
      ['user', 'Do it.'],
    ])
    expect(view.turns.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
    expect(view.turns[4]).toEqual({
      ...{ number: 5, kind: 'turn', before: [], summaries: [] },
      prompt: {
        spans: [
          { from: 1, to: 2, how: 'masked' },
          { from: 3, to: 4, how: 'full' },
        ],
        further: 0,
      },
      texts: [
        { kind: 'words', name: null, text: 'Step 5.', left: 0, end: '', hidden: null },
        { kind: 'call', name: 'bash', text: 'echo 5', left: 0, end: '', hidden: null },
        { kind: 'output', name: 'bash', text: '5\n', left: 0, end: '', hidden: null },
      ],
      ...{ input_tokens: 500, cached_input_tokens: 360, output_tokens: 20, reasoning_tokens: 5 },
      ...{
        cost_usd: 0.005,
        price_usd: 0.005,
        inference_ms: 1500,
        execution_ms: 250,
        started_at: '2026-01-02T03:04:05.000Z',
      },
    })
    expect(view.turns[0]?.texts.map(({ hidden }) => hidden)).toEqual([null, null, { from: 4, how: 'masked' }])
  })

  it('has a summary at the first turn that reads it', () => {
    const { turns } = viewIn(folderOf({ turns: 5, summary: { after: 3, text: 'three steps' } }))
    expect(turns.map(({ summaries }) => summaries.map(({ from, to, text }) => `${from}-${to} ${text.text}`))).toEqual([
      [],
      [],
      [],
      ['1-3 three steps'],
      [],
    ])
  })

  it('is text without escapes, cut in the middle', () => {
    const flood = `start\u001b[31m red\u0007${'x'.repeat(5_000_000)}\u001b]0;title\u0007the end`
    const folder = folderOf({ turns: 2, output: () => flood })
    const output = viewIn(folder).turns[0]?.texts[2]
    expect(output?.text).toMatch(/^start red\ufffdx+$/)
    expect(output?.end).toMatch(/^x+the end$/)
    expect(output?.left).toBe(flood.length - 40_000)
    const [view] = gathered([folder]).views
    expect(JSON.stringify(view).length).toBeLessThan(20_000)
  })

  it('is paged for thousands of turns; a report keeps the first and the last ones', () => {
    const folder = folderOf({ turns: 4000, keep: 10, output: turn => `${turn}\n`.repeat(3) })
    const first = viewIn(folder)
    expect([first.turn_count, first.turns.length, first.turns[0]?.number, first.closing]).toEqual([4000, 1000, 1, []])
    expect(viewIn(folder, 3990).turns.map(({ number }) => number)).toEqual([
      3990, 3991, 3992, 3993, 3994, 3995, 3996, 3997, 3998, 3999, 4000,
    ])
    expect([first.map.length, first.map[99]?.number, first.map[99]?.prompt?.spans.length]).toEqual([100, 3961, 2])
    const [view] = gathered([folder]).views
    if (view === null || view === undefined || !isRead(view)) throw new Error('there is none')
    const numbers = view.turns.map(({ number }) => number)
    expect([numbers[0], numbers.at(-1)]).toEqual([1, 4000])
    expect(numbers.length).toBeLessThan(400)
    expect(JSON.stringify(view).length).toBeLessThan(230_000)
  })

  it('is included for as many runs as fit, and all are counted', () => {
    const folders = Array.from({ length: 120 }, () => folderOf({ turns: 60, output: () => 'word '.repeat(400) }))
    const { views, found } = gathered(folders)
    const kept = views.filter(view => view !== null)
    expect(found).toBe(120)
    expect(kept.length).toBeGreaterThan(40)
    expect(kept.length).toBeLessThan(120)
    expect(JSON.stringify(kept).length).toBeLessThan(1_700_000)
    // Failed runs come before passed ones, task by task.
    expect(views[0]).not.toBe(null)
  })

  it('is refused by name if the file is broken, too large, or outside the folder', () => {
    const broken = folderWith({ 'trajectory.json': '{"schema_version": "ATIF-v1.7"' })
    expect(wholeTrajectoryIn(broken)).toEqual({
      file: 'trajectory.json',
      bytes: 30,
      problem: expect.stringContaining('is not valid JSON'),
    })
    const unknown = folderWith({ 'trajectory.json': '{"a": 1}' })
    expect(wholeTrajectoryIn(unknown)).toEqual({
      file: 'trajectory.json',
      bytes: 8,
      problem: expect.stringContaining('not a trajectory of a known format'),
    })
    const large = folderWith({ 'trajectory.json': '' })
    truncateSync(join(large, 'trajectory.json'), 70 * 1024 * 1024)
    expect(wholeTrajectoryIn(large)).toEqual({
      file: 'trajectory.json',
      bytes: 73400320,
      problem: 'has 73 MB, and at most 67 MB are read',
    })
    const linked = folderWith({})
    writeFileSync(join(broken, 'secret.json'), writeAtif(madeTrajectory({ turns: 1 })))
    symlinkSync(join(broken, 'secret.json'), join(linked, 'trajectory.json'))
    expect([wholeTrajectoryIn(linked), wholeTrajectoryIn(folderWith({}))]).toEqual([null, null])
    expect(gathered([broken, linked]).found).toBe(1)
  })

  it('is shown whatever it contains', () => {
    const limits = { text: 50, room: 5000, turns: 10, endShare: 1 / 3 }
    fc.assert(
      fc.property(arbitraryTrajectory(), trajectory => {
        const { turns, turn_count } = trajectoryView(trajectory, { file: 'a', bytes: 1 }, limits)
        expect(turn_count).toBe(trajectory.turns.length)
        const numbers = turns.map(({ number }) => number)
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
        for (const { prompt, number } of turns)
          for (const { from, to } of prompt?.spans ?? []) expect(from >= 1 && from <= to && to < number).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a folder of trajectories of other programs', () => {
  it('is a report with every file turn by turn', () => {
    const folder = folderWith({
      'a/one.traj.json': writeAtif(madeTrajectory({ id: 'one', turns: 3 })),
      'a/two.trajectory.json': writeAtif(madeTrajectory({ id: 'two', turns: 2 })),
      'a/broken.traj': 'no',
    })
    const unread: string[] = []
    const evidence = evidenceOfTrajectories(folder, { series: 'all' }, ({ file }) => unread.push(file))
    const { folders, kept } = gatherDataset(evidence)
    expect(
      folders.map(({ trajectory }) =>
        trajectory !== null && isRead(trajectory) ? [trajectory.file, trajectory.turn_count] : null,
      ),
    ).toEqual([
      ['a/one.traj.json', 3],
      ['a/two.trajectory.json', 2],
    ])
    expect([kept.trajectories, kept.with_trajectory, unread]).toEqual([2, 2, ['a/broken.traj']])
  })
})
