import { expect, test } from 'vitest'
import { commandTarget } from '../../../src/targets/command/command-target.ts'
import { passedParams } from '../../../src/targets/command/pass-params.ts'
import { experimentWith, runWith } from '../../perform/support.ts'

const place = { run_dir: '/r', out_dir: '/r/out' }
const spec = { kind: 'command' as const, command: ['sim'], pass_params: { switches: ['routing'] } }
const passed = (routing: Parameters<typeof runWith>[0] & object) =>
  passedParams(spec, { kind: 'slug' }, runWith(routing), place).params

test.each([true, 1, 'no', 'false', [0], { a: 0 }])('a switch that is %j is on', routing => {
  expect(passed({ params: { routing } })).toEqual(['--routing'])
})

test.each([false, null, 0, '', [], {}])('a switch that is %j is off', routing => {
  expect(passed({ params: { routing } })).toEqual([])
})

test('switches are not part of a run’s identity: earlier results still count', () => {
  const experiment = experimentWith(spec)
  const { pass_params: _, ...plain } = spec
  expect(commandTarget.identity(spec, experiment)).toEqual(
    commandTarget.identity({ ...plain, pass_params: {} }, experiment),
  )
})
