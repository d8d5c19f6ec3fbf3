import { describe, expect, it } from 'vitest'
import { successRule } from '../../../src/analyze/batch/success.ts'
import type { OutcomeKind } from '../../../src/define/outcome.ts'
import { aRun, evidenceWith } from '../evidence.ts'

const run = (kind: OutcomeKind, metrics: Record<string, number> = {}) =>
  aRun({ params: { model: 'large' }, outcome: { kind }, metrics })

const judged = (text: string | null, ...runs: readonly ReturnType<typeof run>[]) => {
  const { judge } = successRule(text, evidenceWith([...runs, run('completed', { score: 0.5, solved: 1 })]))
  return runs.map(judge)
}

describe('what counts as success', () => {
  it('is completing, by default; a run that was cut off is neither', () => {
    expect(judged(null, run('completed'), run('failed'), run('timed_out'), run('infra_error'))).toEqual([
      'success',
      'failure',
      'censored',
      'censored',
    ])
  })

  it('follows an expression, for completed runs that measured it', () => {
    const rule = "score >= 0.8 and model == 'large'"
    expect(
      judged(rule, run('completed', { score: 0.9 }), run('completed', { score: 0.1 }), run('completed'), run('failed')),
    ).toEqual(['success', 'failure', 'unknown', 'failure'])
    // Values written before an interruption are not results.
    expect(judged(rule, run('timed_out', { score: 0.9 }))).toEqual(['censored'])
  })

  it('follows a rule that uses outcomes', () => {
    expect(judged("outcome == 'completed'", run('completed'), run('timed_out'))).toEqual(['success', 'failure'])
  })

  it('can be a metric of 0 and 1, by its goal', () => {
    expect(
      judged('solved', run('completed', { solved: 1 }), run('completed', { solved: 0 }), run('completed')),
    ).toEqual(['success', 'failure', 'unknown'])
    const broken = { name: 'broken', goal: 'minimize' as const, primary: false }
    const runs = [run('completed', { broken: 0 })]
    expect(
      successRule('broken', evidenceWith(runs, { metrics: [broken] })).judge(run('completed', { broken: 0 })),
    ).toBe('success')
  })

  it('is passing if runs report it, and unknown if none of them could', () => {
    const silent = { ...run('completed'), problems: { passed: 'agreement was never read' } }
    const judge = (...runs: readonly ReturnType<typeof run>[]) => runs.map(successRule(null, evidenceWith(runs)).judge)
    expect(judge(run('completed', { passed: 1 }), run('completed', { passed: 0 }), silent)).toEqual([
      ...['success', 'failure', 'unknown'],
    ])
    expect(judge(silent, silent, run('failed'))).toEqual(['unknown', 'unknown', 'failure'])
  })

  it('is not guessed from a metric with other values than 0 and 1', () => {
    expect(() => judged('score')).toThrow('--success score: its values are not only 0 and 1, e.g. 0.5')
    expect(() => judged('scor > 1')).toThrow('there is no parameter scor')
  })
})
