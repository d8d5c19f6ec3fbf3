import { readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EngineEvent } from '../../../src/engine/call.ts'
import { layoutListener, writing } from '../../../src/report/layouts/layouts.ts'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'

const experiment = `
name: plain
target: { kind: command, command: [sh, -c, 'echo {x}'] }
factors: { x: [1, 2, 3] }
`

test('writes files of runs and of the experiment from the journal, on events', async () => {
  const cwd = folderWith({ 'experiment.yaml': experiment })
  const ended = await assay(['run', '--json'], { cwd })
  const dir = join(cwd, 'results/plain')
  const told: string[] = []
  let now = 0
  const listener = writing(
    {
      ofRun(recorded, { run_dir }) {
        told.push(recorded.name)
        return [{ path: 'its-own.txt', text: `${run_dir} ${recorded.params.x}\n` }]
      },
      ofExperiment({ experiment: { name }, summary: { completed }, runs }) {
        told.push(name)
        return [{ path: 'state.json', text: JSON.stringify({ name, completed, runs: runs.length }) }]
      },
    },
    dir,
    () => ++now,
  )
  const summary = summaryOf(ended) as unknown as EngineEvent & { kind: 'summary' }
  const progress: EngineEvent = { kind: 'progress', summary }
  listener({ kind: 'notice', level: 'info', message: 'nothing happened' })
  expect(told).toEqual([])
  listener(progress)
  expect(told).toHaveLength(4)
  expect(JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8'))).toEqual({ name: 'plain', completed: 3, runs: 3 })
  const run = join(dir, 'runs', told[0] ?? '')
  expect(readFileSync(join(run, 'its-own.txt'), 'utf8')).toBe(`${run} 1\n`)
  listener(progress)
  expect(told).toHaveLength(4)
  listener(summary)
  expect(told.slice(4)).toEqual(['plain'])
})

test('a dialect without own files never reads the journal', () => {
  const listener = layoutListener('native', '/nowhere')
  expect(() => listener({ kind: 'draining', reason: 'done' })).not.toThrow()
})

test.each([
  ['../x.txt', 'leads out of'],
  ['link/x.txt', 'leads out of'],
  ['/x.txt', 'leads out of'],
])('a layout writes only below its roots: not %s', async (path, problem) => {
  const cwd = folderWith({ 'experiment.yaml': experiment, 'beside/kept.txt': '', 'elsewhere/kept.txt': '' })
  const summary = summaryOf(await assay(['run', '--json'], { cwd })) as unknown as EngineEvent
  symlinkSync(join(cwd, 'elsewhere'), join(cwd, 'beside/link'))
  const listener = writing(
    { roots: () => ({ beside: join(cwd, 'beside') }), ofExperiment: () => [{ root: 'beside', path, text: '' }] },
    join(cwd, 'results/plain'),
  )
  expect(() => listener(summary)).toThrow(problem)
  expect([...readdirSync(join(cwd, 'elsewhere')), ...readdirSync(join(cwd, 'beside'))]).toEqual([
    'kept.txt',
    'kept.txt',
    'link',
  ])
})
