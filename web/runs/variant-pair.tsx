import type { Observation } from '../../src/define/observation.ts'
import type { FigureTable } from '../../src/report/figures/figures.ts'
import type { Found } from '../../src/report/findings/findings.ts'
import { amountText } from '../../src/util/words.ts'
import { useFinding, useQuickFinding } from '../analysis/use-finding.ts'
import { usePage } from '../app/context.ts'
import { DataTable } from '../parts/data-table.tsx'
import { FindingView } from '../parts/finding-view.tsx'
import { DifferenceTable, PairKey, pairNames } from './difference-table.tsx'
import { numberOf, numbersOf } from './run-numbers.ts'
import { type DifferenceRow, valueRows } from './value-rows.ts'

/** The differences of two variants: in their levels, on average, and block by block. */
export function VariantPair({ a, b }: { readonly a: string; readonly b: string }) {
  return (
    <FindingView finding={useQuickFinding('sideBySide', JSON.stringify([a, b]))}>
      {({ one, other, parted }) => (
        <>
          <PairKey labels={[one.label, other.label]} />
          <Compared a={a} b={b} />
          <DifferenceTable title="Levels" rows={valueRows(one.levels, other.levels)} />
          <DifferenceTable title="Means of completed runs" rows={meanRows(one, other)} />
          <h3>{parted.metric}, block by block</h3>
          <p>
            They differ in {parted.parted.length} of {parted.parted.length + parted.same} places that both have
            {parted.one_sided.length > 0 && `; ${parted.one_sided.length} only one of them has`}.
          </p>
          <DataTable table={differencesTable(parted)} label={`${parted.metric}, block by block`} />
        </>
      )}
    </FindingView>
  )
}

type SideBySide = Found<'sideBySide'>

/** Means without an interval would be over-trusted. */
function Compared({ a, b }: { readonly a: string; readonly b: string }) {
  const { view } = usePage()
  const finding = useFinding('pair', view, JSON.stringify([a, b]))
  return (
    <FindingView finding={finding}>
      {found => (
        <>
          <p class="pair-sentence">{found.sentence}.</p>
          <p class="note">Chosen by hand among all pairs: nothing is corrected for those that were not.</p>
        </>
      )}
    </FindingView>
  )
}

function meanRows(one: SideBySide['one'], other: SideBySide['one']): readonly DifferenceRow[] {
  return [
    { name: 'runs', a: one.runs.length, b: other.runs.length, write: String },
    ...numbersOf([...one.runs, ...other.runs]).map(name => ({
      name,
      a: meanOf(one.runs, name),
      b: meanOf(other.runs, name),
      write: amountText(name),
    })),
  ].filter(({ a, b }) => a !== null || b !== null)
}

function meanOf(runs: readonly Observation[], name: string): number | null {
  const values = runs.filter(({ outcome }) => outcome.kind === 'completed').flatMap(run => numberOf(run, name) ?? [])
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length
}

const differencesTable = ({ metric, parted }: SideBySide['parted']): FigureTable => ({
  columns: [{ name: 'where' }, ...[...pairNames, 'B − A'].map(name => ({ name, write: amountText(metric) }))],
  rows: parted.map(({ where, before, after, difference }) => [where, before, after, difference]),
})
