import { expect, it } from 'vitest'
import { refuseTakenNames } from '../../../src/record/runs/taken-names.ts'
import { planned, runNamed } from '../support.ts'

it('a name stays with the run that has it', () => {
  const { journal } = planned('a', 'b')
  expect(refuseTakenNames(journal, [runNamed('a'), runNamed('c')])).toBeUndefined()
  expect(() => refuseTakenNames(journal, [{ ...runNamed('b'), key: 'another' }])).toThrow(
    'the name b belongs to a run with other parameters in this directory',
  )
})
