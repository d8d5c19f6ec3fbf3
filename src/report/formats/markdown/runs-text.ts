import type { Observation } from '../../../define/observation.ts'
import { orReason } from '../../../util/errors.ts'
import type { Json } from '../../../util/json.ts'
import { amountText, levelText, plainNumber } from '../../../util/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import type { Cell, FigureColumn } from '../../figures/figure.ts'
import { filtered, numberNames, type View, varyingFactors } from '../../findings/view.ts'
import { section, tableText } from './parts.ts'

const mostRuns = 50
const mostMetrics = 4

/** The first runs: what varied, how they ended, what they measured. */
export function runsText(dataset: Dataset, view: View): string {
  const kept = orReason(() => filtered(dataset.evidence, view.filter))
  if ('reason' in kept) return ''
  const { runs } = kept.found
  const columns = columnsOf(dataset)
  const table = tableText({
    columns,
    rows: runs.slice(0, mostRuns).map(run => columns.map(({ cell }) => cell(run))),
  })
  const left = runs.length - mostRuns
  return section('Runs', left > 0 ? `${table}\n\n${left} more: assay collect writes all of them.` : table)
}

interface RunColumn extends FigureColumn {
  cell(run: Observation): Cell
}

function columnsOf({ evidence }: Dataset): readonly RunColumn[] {
  const { runs, sources, blocks } = evidence
  const declared = evidence.metrics.map(({ name }) => name)
  const measured = numberNames(runs)
  const metrics = [...new Set([...declared, ...measured.slice(0, mostMetrics)])].filter(name => measured.includes(name))
  const factors = varyingFactors(evidence).filter(name => name !== 'experiment')
  return [
    { name: 'run', cell: run => run.name },
    ...(sources.length > 1 ? [{ name: 'experiment', cell: (run: Observation) => run.source }] : []),
    ...factors.map(name => ({ name, cell: (run: Observation) => levelCell(run.params[name]) })),
    ...blocks.map(name => ({ name, cell: (run: Observation) => levelCell(run.block[name]) })),
    ...(runs.some(({ replicate }) => replicate > 1)
      ? [{ name: 'replicate', write: String, cell: (run: Observation) => run.replicate }]
      : []),
    { name: 'outcome', cell: run => run.outcome.kind.replaceAll('_', ' ') },
    ...metrics.map(name => ({
      name,
      write: amountText(name),
      cell: (run: Observation) => run.metrics[name] ?? null,
    })),
    ...(!metrics.includes('cost_usd') && runs.some(run => run.cost_usd !== null)
      ? [{ name: 'cost_usd', write: amountText('cost_usd'), cell: (run: Observation) => run.cost_usd }]
      : []),
    ...(metrics.includes('wall_s')
      ? []
      : [
          {
            name: 'wall_s',
            write: (value: number) => `${plainNumber(value)} s`,
            cell: (run: Observation) => run.wall_s,
          },
        ]),
  ]
}

/** Levels are names: they are written unchanged. */
const levelCell = (level: Json | undefined): Cell => (level === undefined || level === null ? null : levelText(level))
