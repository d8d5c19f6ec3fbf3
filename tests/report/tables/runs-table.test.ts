import { expect, it } from 'vitest'
import { type Observation, observed } from '../../../src/define/observation.ts'
import { cellText, runsTable } from '../../../src/report/tables.ts'
import { experimentWith } from '../../plan/experiment.ts'

const recorded = (name: string, more: Partial<Observation> = {}): Observation =>
  observed({
    name,
    params: { optimizer: { lr: 0.1 }, flag: true },
    block: { task: 'sort' },
    seed: 7,
    outcome: { kind: 'completed', exit_code: 0 },
    started_at: 1000,
    ended_at: 3000,
    wall_s: 2,
    place: `runs/${name}`,
    ...more,
  })

it('has a row for every attempted run, by name, and a column for every value', () => {
  const runs = [
    recorded('b', { metrics: { loss: 0.5 } }),
    recorded('a', { problems: { loss: 'the file is not there' } }),
    recorded('c', { started_at: null }),
  ]
  const { columns, rows } = runsTable(experimentWith({}), '/results/e', runs)
  expect(rows.map(row => row.run_id)).toEqual(['a', 'b'])
  expect(rows.map(row => row.loss)).toEqual([undefined, 0.5])
  expect(rows[0]).toMatchObject({ 'optimizer.lr': 0.1, task: 'sort', metric_problems: 'loss: the file is not there' })
  expect(columns).toEqual(expect.arrayContaining(['run_id', 'optimizer.lr', 'task', 'loss', 'state', 'outcome']))
})

it('begins with its own columns, and those of the dialect if any', () => {
  const run = recorded('a', { params: { policy: 'full', alpha: 1 }, block: { seed: 1 } })
  const columnsIn = (dialect: string) => runsTable(experimentWith({ dialect }), '/results/e', [run]).columns
  expect(columnsIn('native').slice(0, 4)).toEqual(['run_id', 'seed', 'exit_code', 'wall_time_s'])
  expect(columnsIn('native')).not.toContain('disable_hedging')
  expect(columnsIn('matrix-json').slice(0, 4)).toEqual(['run_id', 'policy', 'seed', 'disable_hedging'])
})

it('shows parameters and seed of the run despite metrics of the same name', () => {
  const run = recorded('a', { params: { lr: 0.1 }, block: { seed: 1 }, metrics: { lr: 5, seed: 6, loss: 0.5 } })
  const { rows } = runsTable(experimentWith({}), '/results/e', [run])
  expect(rows[0]).toMatchObject({ lr: 0.1, seed: 1, loss: 0.5 })
})

it('has columns for an ablation, and none for a level of the same name', () => {
  const run = recorded('a', { params: { ablation: 'no_cache', x: 1 }, ablation: 'no_cache', flags: ['--off', '-v'] })
  const level = recorded('b', { params: { ablation: 'a level', x: 1 } })
  const { rows } = runsTable(experimentWith({}), '/results/e', [run, level])
  expect(rows[0]).toMatchObject({ ablation_name: 'no_cache', ablation_flags: '--off -v' })
  expect(rows.map(({ ablation }) => ablation)).toEqual([undefined, 'a level'])
})

it('writes nothing for missing values, and true and false as written, or as in Python', () => {
  const [ours, original] = [
    experimentWith({}),
    experimentWith({ dialect: 'matrix-json', naming: { kind: 'matrix-json', spelling: {} } }),
  ]
  expect(cellText(ours, 'loss', undefined)).toBe('')
  expect(cellText(ours, 'loss', null)).toBe('')
  expect(cellText(ours, 'flag', true)).toBe('true')
  expect(cellText(original, 'flag', true)).toBe('True')
})
