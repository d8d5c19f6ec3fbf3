import { describe, expect, it } from 'vitest'
import { mergeEvidence } from '../../../src/record/evidence/merge.ts'
import { aRun, evidenceWith } from '../../analyze/evidence.ts'

const from = (path: string) =>
  evidenceWith([aRun({ source: 'x' })], { blocks: ['seed'], sources: [{ name: 'x', path, planned: 1 }] })

describe('several sources as one', () => {
  it('one source stays as it is', () => {
    const only = from('/a/x')
    expect(mergeEvidence([only])).toBe(only)
  })

  it('make the experiment a factor, and are told apart by as much of their path as it takes', () => {
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
