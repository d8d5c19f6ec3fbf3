import { useMemo } from 'preact/hooks'
import { type ResultsDiff, resultsBetween } from '../../src/analyze/diff/results-diff.ts'
import { amountText, plainNumber } from '../../src/analyze/numbers.ts'
import { type Variant, variantsOf } from '../../src/analyze/variants.ts'
import type { EvidenceRun } from '../../src/plan/evidence.ts'
import type { FigureTable } from '../../src/report/figures/figure.ts'
import { lookedAt } from '../../src/report/findings/looked-at.ts'
import { numberNames } from '../../src/report/findings/view.ts'
import { orReason } from '../../src/report/findings/wording/or-reason.ts'
import { usePage } from '../app/context.ts'
import { DataTable } from '../parts/data-table.tsx'
import { type DifferenceRow, DifferenceTable } from './difference-table.tsx'
import { valueRows } from './run-pair.tsx'

/** Where two variants differ: in their levels, on average, and block by block. */
export function VariantPair({ a, b }: { readonly a: string; readonly b: string }) {
  const { dataset, view } = usePage()
  const found = useMemo(
    () =>
      orReason(() => {
        const looked = lookedAt(dataset, view)
        const variants = variantsOf(looked.evidence)
        const [one, other] = [a, b].map(label => variants.find(variant => variant.label === label))
        if (one === undefined || other === undefined) return null
        return { one, other, parted: resultsBetween(looked.evidence, one, other, looked.reading) }
      }),
    [dataset, view, a, b],
  )
  if ('reason' in found) return <p class="reason">{found.reason}</p>
  if (found.found === null) return <p>Not both of these variants are in this report.</p>
  const { one, other, parted } = found.found
  const labels = [one.label, other.label] as const
  return (
    <>
      <DifferenceTable title="Levels" labels={labels} rows={valueRows(one.levels, other.levels)} />
      <DifferenceTable title="Means of completed runs" labels={labels} rows={meanRows(one, other)} />
      <h3>{parted.metric}, block by block</h3>
      <p>
        They differ in {parted.parted.length} of {parted.parted.length + parted.same} places that both have
        {parted.one_sided.length > 0 && `; ${parted.one_sided.length} only one of them has`}.
      </p>
      <DataTable table={partedTable(parted, labels)} label={`${parted.metric}, block by block`} />
    </>
  )
}

function meanRows(one: Variant, other: Variant): readonly DifferenceRow[] {
  const names = numberNames([...one.runs, ...other.runs])
  const row = (name: string, of: (run: EvidenceRun) => number | null): DifferenceRow => ({
    name,
    a: meanOf(one.runs, of),
    b: meanOf(other.runs, of),
    write: amountText(name),
  })
  return [
    { name: 'runs', a: one.runs.length, b: other.runs.length, write: String },
    ...names.map(name => row(name, run => run.metrics[name] ?? null)),
    row('cost_usd', run => run.cost_usd),
    row('wall_s', run => run.wall_s),
  ].filter(({ a, b }) => a !== null || b !== null)
}

function meanOf(runs: readonly EvidenceRun[], of: (run: EvidenceRun) => number | null): number | null {
  const values = runs.filter(({ outcome }) => outcome.kind === 'completed').flatMap(run => of(run) ?? [])
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

const partedTable = ({ parted }: ResultsDiff, [a, b]: readonly [string, string]): FigureTable => ({
  columns: [
    { name: 'where' },
    { name: a, write: plainNumber },
    { name: b, write: plainNumber },
    { name: 'difference', write: plainNumber },
  ],
  rows: parted.map(({ where, before, after, difference }) => [where, before, after, difference]),
})
