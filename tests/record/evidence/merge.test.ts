import { describe, expect, it } from 'vitest'
import { levelOf } from '../../../src/define/observation.ts'
import { mergeEvidence } from '../../../src/record/evidence/evidence.ts'
import { aRun, evidenceWith } from '../../analyze/evidence.ts'

const from = (path: string) =>
  evidenceWith([aRun({ source: 'x' })], { blocks: ['seed'], sources: [{ name: 'x', path, planned: 1 }] })

describe('several sources as one', () => {
  it('one source stays as it is', () => {
    const only = from('/a/x')
    expect(mergeEvidence([only])).toBe(only)
  })

  it('make the experiment a factor, labelled by the shortest distinct path', () => {
    const merged = mergeEvidence([from('/a/x'), from('/b/x'), from('/b/y')])
    expect(merged.sources.map(({ name }) => name)).toEqual(['a/x', 'b/x', 'y'])
    expect(merged.runs.map(({ source }) => source)).toEqual(['a/x', 'b/x', 'y'])
    expect(merged.factors).toEqual(['experiment', 'arm'])
    expect(merged.blocks).toEqual(['seed'])
    expect(merged.metrics).toHaveLength(1)
  })

  it('the same source twice is still two', () => {
    expect(mergeEvidence([from('/a/x'), from('/a/x')]).sources.map(({ name }) => name)).toEqual(['/a/x#1', '/a/x#2'])
  })
})

describe('directories of one definition', () => {
  const part = (
    path: string,
    runs: readonly (readonly [key: string, token: string, kind?: 'completed' | 'failed'])[],
  ) =>
    evidenceWith(
      runs.map(([key, token, kind = 'completed']) => aRun({ name: key, key, token, outcome: { kind } })),
      { sources: [{ name: 'x', path, planned: 4, kind: 'experiment', sha256: 'same' }] },
    )

  it('are one experiment if they share no run', () => {
    const merged = mergeEvidence([part('/a', [['1', 't1']]), part('/b', [['2', 't2']])])
    expect(merged.factors).toEqual(['arm'])
    expect(merged.runs.map(({ name, source }) => `${source}/${name}`)).toEqual(['a/1', 'b/2'])
    expect(merged.sources).toMatchObject([
      { name: 'a', planned: 4 },
      { name: 'b', planned: null, partOf: 'a' },
    ])
  })

  it('are one experiment if they share attempts; a completed attempt takes precedence', () => {
    const one = part('/a', [
      ['1', 't1'],
      ['2', 'failed', 'failed'],
    ])
    const other = part('/b', [
      ['1', 't1'],
      ['2', 'retried'],
    ])
    const merged = mergeEvidence([one, other])
    expect(merged.runs.map(({ key, token }) => `${key} ${token}`)).toEqual(['1 t1', '2 retried'])
  })

  it('are two if common runs were executed twice, or their definitions differ', () => {
    const again = mergeEvidence([part('/a', [['1', 't1']]), part('/b', [['1', 't2']])])
    expect(again.factors).toEqual(['experiment', 'arm'])
    const other = part('/b', [['2', 't2']])
    const sources = other.sources.map(source => ({ ...source, sha256: 'other' }))
    expect(mergeEvidence([part('/a', [['1', 't1']]), { ...other, sources }]).factors).toContain('experiment')
  })

  it('stay one experiment beside another', () => {
    const again = part('/c', [['1', 't3']])
    const merged = mergeEvidence([part('/a', [['1', 't1']]), part('/b', [['2', 't2']]), again])
    expect(merged.runs.map(run => levelOf(run, 'experiment'))).toEqual(['a', 'a', 'c'])
  })
})
