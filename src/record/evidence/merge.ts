import type { Evidence } from '../../plan/evidence.ts'
import { filterEvidence } from '../../plan/select/filter-evidence.ts'
import { AssayError } from '../../util/errors.ts'

/** All sources as one, paired as is wanted, and only what the filters leave. */
export function keptEvidence(
  all: readonly Evidence[],
  {
    pairBy,
    filter = [],
  }: { readonly pairBy?: readonly string[] | undefined; readonly filter?: readonly string[] | undefined },
): Evidence {
  const merged = mergeEvidence(all)
  const evidence = pairBy === undefined ? merged : { ...merged, blocks: pairBy }
  const kept = filterEvidence(evidence, filter)
  if (kept.runs.length > 0) return kept
  throw new AssayError(
    'usage',
    evidence.runs.length === 0 ? 'no run has ended yet: there is nothing to look at' : 'no run passes the filter',
  )
}

/** Several sources as one: which of them a run comes from becomes the factor `experiment`. */
export function mergeEvidence(all: readonly Evidence[]): Evidence {
  const [first, ...others] = all
  if (first === undefined) throw new RangeError('there is nothing to merge')
  if (others.length === 0) return first
  const named = all.map((evidence, index) => renamed(evidence, uniqueName(all, index)))
  const every = <T>(part: (evidence: Evidence) => readonly T[]): readonly T[] => named.flatMap(part)
  return {
    runs: every(({ runs }) => runs),
    metrics: [
      ...new Map(
        every(({ metrics }) => metrics)
          .toReversed()
          .map(metric => [metric.name, metric]),
      ).values(),
    ].reverse(),
    blocks: [...new Set(every(({ blocks }) => blocks))],
    factors: ['experiment', ...new Set(every(({ factors }) => factors))],
    levels: Object.assign({}, ...named.toReversed().map(({ levels }) => levels)) as Evidence['levels'],
    baseline: first.baseline,
    sources: every(({ sources }) => sources),
    ...mergedSearch(all),
  }
}

function mergedSearch(all: readonly Evidence[]): Pick<Evidence, 'search'> {
  const searches = all.flatMap(({ search }) => search ?? [])
  if (searches.length === 0) return {}
  const ranges = [...new Set(searches.flatMap(search => search.ranges))]
  return { search: { ranges, learns: searches.some(({ learns }) => learns) } }
}

/** Two directories may have the same name: then each is called by as much of its path as tells them apart. */
function uniqueName(all: readonly Evidence[], index: number): string {
  const parts = all.map(({ sources }) => (sources[0]?.path ?? '').split('/'))
  const own = parts[index] ?? []
  for (let length = 1; length <= own.length; length++) {
    const name = own.slice(-length).join('/')
    if (parts.every((other, at) => at === index || other.slice(-length).join('/') !== name)) return name
  }
  return `${own.join('/')}#${index + 1}`
}

function renamed(evidence: Evidence, name: string): Evidence {
  return {
    ...evidence,
    runs: evidence.runs.map(run => ({ ...run, source: name })),
    sources: evidence.sources.map(source => ({ ...source, name })),
  }
}
