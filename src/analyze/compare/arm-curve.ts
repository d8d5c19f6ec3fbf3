import type { Evidence, EvidenceRun } from '../../plan/evidence.ts'
import { type GriddedSeries, onCommonGrid } from '../../stats/curves/common-grid.ts'
import { pointwiseBand } from '../../stats/curves/curve-band.ts'
import { meanOf } from '../../stats/describe/moments.ts'
import { isAvailable, valueOrNull } from '../../stats/outcome.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import type { Arm } from '../arms.ts'
import { unitsOf } from '../units/units.ts'
import { plural, unitWord } from '../words.ts'

export interface ArmCurve {
  readonly label: string
  /** Independent units behind it, and what they are called: `seeds`. */
  readonly n: number
  readonly units: string
  readonly points: readonly {
    readonly step: number
    readonly mean: number
    readonly interval: { readonly low: number; readonly high: number } | null
  }[]
}

/**
 * The mean of an arm's series over the steps that all its runs reached, with a band that holds at each step. As in a
 * comparison, repetitions and whatever else varies within a unit are averaged first: the runs of a seed are not independent seeds.
 */
export function curveOf(evidence: Evidence, { label, runs }: Arm, metric: string, level: number): ArmCurve {
  const drawn = runs
    .filter(run => run.outcome.kind === 'completed')
    .flatMap(run => run.series.filter(one => one.metric === metric).map(series => ({ run, series })))
  const own = drawn.map(({ run }) => run)
  const { name, of } = unitsOf(evidence)
  const named = { label, n: new Set(own.map(of)).size, units: plural(unitWord(name)) }
  const gridded = onCommonGrid(drawn.map(({ series }) => series))
  if (!isAvailable(gridded)) return { ...named, points: [] }
  const averaged = byUnit(gridded, own, of)
  const band = isMixtureOfSearch(evidence, own) ? null : valueOrNull(pointwiseBand(averaged, level))
  const points = averaged.steps.map((step, at) => {
    const bounds = band?.bounds[at]
    return {
      step,
      mean: meanOf(averaged.rows.map(row => row[at] ?? Number.NaN)),
      interval: bounds !== undefined && isAvailable(bounds) ? { low: bounds.low, high: bounds.high } : null,
    }
  })
  return { ...named, points }
}

/** One row for each unit: the mean of the means of its cells, so that none counts for more because it was repeated. */
function byUnit(
  { steps, rows }: GriddedSeries,
  runs: readonly EvidenceRun[],
  unitOf: (run: EvidenceRun) => string,
): GriddedSeries {
  const cellOf = ({ params, block, source }: EvidenceRun): string => canonicalJson([source, params, block])
  const indexed = runs.map((run, at) => ({ unit: unitOf(run), cell: cellOf(run), row: rows[at] ?? [] }))
  const units = [...Map.groupBy(indexed, ({ unit }) => unit).values()].map(group => {
    const cells = [...Map.groupBy(group, ({ cell }) => cell).values()]
    return meanRow(cells.map(cell => meanRow(cell.map(({ row }) => row))))
  })
  return { steps, rows: units }
}

const meanRow = (rows: readonly (readonly number[])[]): readonly number[] =>
  (rows[0] ?? []).map((_, at) => meanOf(rows.map(row => row[at] ?? Number.NaN)))

/** What a search tried is no sample of anything: a mean over it has no error to draw. */
function isMixtureOfSearch({ search }: Evidence, runs: readonly EvidenceRun[]): boolean {
  return search !== undefined && new Set(runs.map(({ params }) => canonicalJson(params))).size > 1
}
