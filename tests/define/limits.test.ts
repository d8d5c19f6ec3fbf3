import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  defaultLimits,
  limitFields,
  limitsInFile,
  limitsInForce,
  limitsOver,
  limitTable,
} from '../../src/define/limits.ts'
import { costLimits } from '../../src/define/permits.ts'
import { limits as limitsSchema } from '../../src/define/schema/limits-schema.ts'

const page = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')

describe('the table of limits', () => {
  it('is what an experiment file takes: every limit is read back as it is written', () => {
    const every = limitsOver(defaultLimits(), {
      jobs: 3,
      timeout_ms: 90_500,
      grace_ms: 250,
      budget_usd: 12.5,
      run_budget_usd: 0,
      run_calls: 7,
      run_tokens: 1000,
      rate: { openai: { rpm: 500, tpm: null, concurrency: 4 } },
      fail_on_rate_limit: true,
      retries: 2,
      quarantine_after: 9,
      halt: { share: 0.125 },
      initial_failures: 0,
    })
    expect(limitsSchema.parse(limitsInFile(every))).toEqual(every)
    expect(limitsSchema.parse({})).toEqual(defaultLimits())
  })

  it.each(limitFields.map(field => [limitTable[field].key, limitTable[field]] as const))(
    '%s is documented, and listed under `assay set` if it can be set',
    (key, { isSettable }) => {
      expect(page('experiment-file')).toMatch(new RegExp(`^ {2}${key}:`, 'm'))
      const canBeSet = /You can set (`jobs`[^;]*)/.exec(page('running'))?.[1] ?? ''
      expect(canBeSet.includes(`\`${key === 'rate' ? 'rate.<provider>' : key}\``)).toBe(isSettable)
    },
  )
})

it('runs cut by a limit are reopened when that limit is raised', () => {
  const cutting = limitFields.filter(field => limitTable[field].cutsRuns)
  expect([...cutting, 'unknown_price'].toSorted()).toEqual([...costLimits].toSorted())
})

it('an invalid yes or no is refused, not treated as yes', () => {
  const { read } = limitTable.fail_on_rate_limit.kind
  expect([read('yes'), read('false')]).toEqual([true, false])
  expect(() => read('')).toThrow('expected true or false, got ""')
})

describe('limits laid over others', () => {
  it('replace them, but rates provider by provider and retries class by class', () => {
    const before = limitsOver(defaultLimits(), { rate: { a: { rpm: 1, tpm: null, concurrency: null } }, timeout_ms: 5 })
    const after = limitsOver(before, {
      rate: { b: { rpm: 2, tpm: null, concurrency: null } },
      retries: 4,
      timeout_ms: null,
    })
    expect(Object.keys(after.rate)).toEqual(['a', 'b'])
    expect(after.retries).toEqual({ ...defaultLimits().retries, failed: 4, timed_out: 4, infra_error: 4 })
    expect(after.timeout_ms).toBeNull()
  })

  it('by `assay set` take rates away where they are null', () => {
    const defined = limitsOver(defaultLimits(), { rate: { a: { rpm: 1, tpm: null, concurrency: null } } })
    expect(limitsInForce(defined, { jobs: 9, rate: { a: null } })).toMatchObject({ jobs: 9, rate: {} })
  })
})
