import { expect, test } from 'vitest'
import { cutOff } from '../../../src/define/outcome.ts'
import { ModelError, modelFaults, outcomeOfModelError } from '../../../src/models/model-error.ts'

const outcome = (fault: (typeof modelFaults)[number]) =>
  outcomeOfModelError(
    new ModelError(fault, 'm: it failed', { model: 'm', provider: 'p', cost: 'nothing', hint: 'do this' }),
  )

test('every fault ends a run under its own name, with advice', () => {
  for (const fault of modelFaults)
    expect(outcome(fault)).toMatchObject({ error_class: fault, message: 'm: it failed; do this' })
})

test('external faults are retried; faults of the model itself are not', () => {
  const isMadeAgain = (fault: (typeof modelFaults)[number]): boolean => cutOff.includes(outcome(fault).kind)
  expect(modelFaults.filter(fault => !isMadeAgain(fault))).toEqual([
    'malformed_answer',
    'empty_answer',
    'content_filtered',
    'context_too_long',
    'unknown_model',
    'bad_request',
    'missing_recording',
  ])
  expect(outcome('rate_limited').kind).toBe('rate_limited')
})
