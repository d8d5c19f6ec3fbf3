import type { Evidence, EvidenceRun } from '../evidence.ts'
import type { Scope } from '../expression/compile.ts'
import { compileTest } from './compile-test.ts'

/** Only the runs for which every filter is true; filters are written as for `run`. */
export function filterEvidence(evidence: Evidence, filters: readonly string[]): Evidence {
  if (filters.length === 0) return evidence
  const fields = new Set([
    ...evidence.factors,
    ...evidence.blocks,
    ...evidence.runs.flatMap(run => [
      ...Object.keys(run.params),
      ...Object.keys(run.block),
      ...Object.keys(run.columns ?? {}),
    ]),
    'replicate',
    'name',
    'run',
    'experiment',
  ])
  const tests = filters.map(text => compileTest(text, fields))
  const { texts = [], of = evidence.runs.length } = evidence.filter ?? {}
  return {
    ...evidence,
    filter: { texts: [...texts, ...filters], of },
    runs: evidence.runs.filter(run => tests.every(test => test(scopeOf(run)))),
  }
}

const scopeOf = ({ name, source, replicate, params, block, columns }: EvidenceRun): Scope => ({
  name,
  run: name,
  experiment: source,
  replicate,
  ...columns,
  ...block,
  ...params,
})
