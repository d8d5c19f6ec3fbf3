import type { Evidence, EvidenceRun } from '../../../src/plan/evidence.ts'
import type { Json, JsonObject } from '../../../src/util/json.ts'

/** A run with its levels in one go: those named in `blocks` pair runs, the others vary. */
export interface Row {
  readonly levels: JsonObject
  readonly metrics?: Readonly<Record<string, number>>
  readonly more?: Partial<EvidenceRun>
}

/** Evidence made in a test, as an experiment with these blocks would have left it. */
export function evidenceWith(
  rows: readonly Row[],
  { blocks = ['seed'], ...more }: Partial<Evidence> & { readonly blocks?: readonly string[] } = {},
): Evidence {
  const factors = [...new Set(rows.flatMap(({ levels }) => Object.keys(levels)))].filter(name => !blocks.includes(name))
  return {
    runs: rows.map((row, index) => runOf(row, index, blocks)),
    metrics: [{ name: 'score', goal: 'maximize', primary: true }],
    blocks,
    factors,
    levels: {},
    baseline: null,
    sources: [{ name: 'made', path: '/made', planned: rows.length }],
    ...more,
  }
}

function runOf({ levels, metrics = {}, more }: Row, index: number, blocks: readonly string[]): EvidenceRun {
  const pick = (isBlock: boolean): JsonObject =>
    Object.fromEntries(Object.entries(levels).filter(([name]) => blocks.includes(name) === isBlock))
  return {
    name: `run ${index + 1}`,
    source: 'made',
    params: pick(false),
    block: pick(true),
    replicate: 1,
    outcome: { kind: 'completed' },
    metrics,
    problems: {},
    series: [],
    cost_usd: null,
    wall_s: null,
    code: null,
    ...more,
  }
}

/** Every combination of the levels, with a score computed from it. */
export function crossed(
  levels: Readonly<Record<string, readonly Json[]>>,
  score: (levels: Readonly<Record<string, Json>>) => number,
): readonly Row[] {
  const combinations = Object.entries(levels).reduce<readonly JsonObject[]>(
    (all, [name, own]) => all.flatMap(before => own.map(level => ({ ...before, [name]: level }))),
    [{}],
  )
  return combinations.map(own => ({ levels: own, metrics: { score: score(own) } }))
}
