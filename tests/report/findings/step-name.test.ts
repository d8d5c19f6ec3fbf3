import { describe, expect, it } from 'vitest'
import { stepAxis, stepNameOf } from '../../../src/report/findings/step-name.ts'

const ofKind = (kind: string) => [{ definition: { target: { kind } } }]

describe('the steps of a series', () => {
  it('are turns of a scenario, calls of its costs, and steps of anything else', () => {
    const names = (kind: string, metric: string) => stepNameOf(ofKind(kind), metric)
    expect(names('scenario', 'trust')).toEqual({ one: 'turn', many: 'turns' })
    expect(names('scenario', 'cost_usd')).toEqual({ one: 'call', many: 'calls' })
    expect(names('command', 'trust')).toEqual({ one: 'step', many: 'steps' })
    expect(stepNameOf([...ofKind('scenario'), { definition: null }], 'trust').one).toBe('step')
    expect(stepNameOf([], 'trust').one).toBe('step')
    // A worker hands over copies.
    expect(stepAxis(structuredClone(names('scenario', 'trust')))).toEqual({ stepLabel: 'turn', isCount: true })
    expect(stepAxis(structuredClone(names('command', 'trust')))).toEqual({})
  })
})
