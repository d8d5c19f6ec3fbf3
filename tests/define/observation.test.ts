import { expect, it } from 'vitest'
import { observed, recordOf } from '../../src/define/observation.ts'
import { runWith } from '../perform/support.ts'

it('parameters include the name of an ablation, but not the block', () => {
  const run = runWith({
    params: { policy: 'full', seed: 3 },
    block: { seed: 3 },
    ablation: 'no_cache',
    flags: ['--off'],
  })
  expect(recordOf(run)).toMatchObject({
    params: { policy: 'full', ablation: 'no_cache' },
    ablation: 'no_cache',
    flags: ['--off'],
    block: { seed: 3 },
  })
  expect(recordOf(run).params).not.toHaveProperty('seed')
  expect(recordOf({ ...run, ablation: null }).params).toEqual({ policy: 'full' })
})

it('unknown values of an observation are null, and its state follows from its outcome', () => {
  expect(observed({ outcome: { kind: 'failed' } })).toMatchObject({ state: 'failed', cost_usd: null, seed: null })
  expect(observed({ metrics: { score: 1 } })).toMatchObject({ state: 'completed', outcome: { kind: 'completed' } })
})
