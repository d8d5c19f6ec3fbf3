import { drawChart } from '../../charts/draw-chart.ts'
import { dollars, percentText, plainNumber } from '../../util/words.ts'
import type { AgentCurves, AgentFindings, AgentRow } from '../findings/agents.ts'
import type { Cell, Figure, FigureColumn } from './figure.ts'

interface Column extends FigureColumn {
  cell(row: AgentRow): Cell
}

/** Every variant: how many instances, how they ended, and what they cost. */
export function agentsFigure({ rows, level }: AgentFindings): Figure {
  const isAny = (test: (row: AgentRow) => boolean): boolean => rows.some(test)
  const columns: readonly Column[] = [
    { name: 'variant', cell: ({ label }) => label },
    count('instances', row => row.n_instances),
    ...(isAny(({ without }) => without > 0) ? [count('runs without an agent', ({ without }) => without)] : []),
    count('submitted', row => row.n_submitted),
    share('submission rate', row => row.submission_rate),
    ...(isAny(({ solved }) => solved !== null) ? [share('solve rate', ({ solved }) => solved?.rate ?? null)] : []),
    ...(isAny(({ solved, n_instances }) => solved !== null && solved.n !== n_instances)
      ? [count('scored', ({ solved }) => solved?.n ?? null)]
      : []),
    money('avg cost', ({ cost }) => cost.mean),
    money(`${percentText(level)} CI low`, ({ cost }) => cost.ci?.low ?? null),
    money('high', ({ cost }) => cost.ci?.high ?? null),
    money('total cost', row => row.total_cost),
    amount('avg turns', row => row.avg_turns),
    amount('median', row => row.turn_median),
    share('cache hit rate', row => row.cache_hit_rate),
    ...(isAny(row => (row.summary_cost_fraction ?? 0) > 0)
      ? [share('cost of summaries', row => row.summary_cost_fraction)]
      : []),
  ]
  return {
    id: 'agents',
    title: 'Agents by variant',
    caption:
      'An instance is a run of an agent on a task. Costs are at list price (in the files of other programs: as recorded), all calls included. Submitted: the agent left a patch, however it ended. Solve rate: of the scored instances.',
    draw: null,
    table: { columns, rows: rows.map(row => columns.map(({ cell }) => cell(row))) },
  }
}

/** How the work ended, as counts. */
export function exitsFigure({ rows, exits }: AgentFindings): Figure {
  const columns: readonly Column[] = [
    { name: 'variant', cell: ({ label }) => label },
    count('instances', row => row.n_instances),
    ...exits.map(category => count(category, row => row.exits[category] ?? 0)),
  ]
  return {
    id: 'agent-exits',
    title: 'How the agents’ work ended',
    caption:
      'Categories of the exit status. A patch that was handed in because a limit was reached is under that limit, and still counts as submitted.',
    draw: null,
    table: { columns, rows: rows.map(row => columns.map(({ cell }) => cell(row))) },
  }
}

/** Sums and rates as instances ended, and as turns were made. */
export function agentCurvesFigures({ curves, points }: AgentFindings): readonly Figure[] {
  const overInstances = (
    id: string,
    metric: string,
    unit: string,
    pick: (point: AgentCurves['instances'][number]) => number | null,
    write: (value: number) => string,
  ) =>
    curveFigure({
      ...{ id, metric, unit, write },
      axis: 'instances',
      caption: 'After each instance, in the order in which they ended.',
      curves: curves.map(({ label, instances }) => ({
        label,
        n: instances.at(-1)?.n_instances ?? 0,
        points: instances.map(point => ({ step: point.n_instances, value: pick(point) })),
      })),
    })
  const isScored = curves.some(({ instances }) => instances.some(({ solve_rate }) => solve_rate !== null))
  const rates = new Set(curves.flatMap(({ instances }) => instances.map(({ submission_rate }) => submission_rate)))
  return [
    overInstances('agent-cost', 'cumulative cost', 'USD', point => point.total_cost, dollars),
    // Where every instance was submitted, or none, it is one flat line.
    ...(rates.size < 2
      ? []
      : [
          overInstances(
            'agent-submission-rate',
            'submission rate',
            '%',
            point => times100(point.submission_rate),
            hundredths,
          ),
        ]),
    ...(isScored
      ? [overInstances('agent-solve-rate', 'solve rate', '%', point => times100(point.solve_rate), hundredths)]
      : []),
    ...(curves.some(({ turns }) => turns.length > 1)
      ? [
          curveFigure({
            ...{ id: 'agent-cost-turns', metric: 'cumulative cost', unit: 'USD', write: dollars },
            axis: 'turns',
            caption: `Over all turns of all instances, in the order in which instances ended; summaries and reviews are not in it.${points === 'instances' ? ' One point per instance: the series were thinned.' : ''}`,
            curves: curves.map(({ label, instances, turns }) => ({
              label,
              n: instances.at(-1)?.n_instances ?? 0,
              points: turns.map(({ global_step, cost }) => ({ step: global_step, value: cost })),
            })),
          }),
        ]
      : []),
  ]
}

interface CurveData {
  readonly id: string
  readonly metric: string
  readonly unit: string
  readonly write: (value: number) => string
  readonly axis: 'instances' | 'turns'
  readonly caption: string
  readonly curves: readonly {
    readonly label: string
    readonly n: number
    readonly points: readonly { readonly step: number; readonly value: number | null }[]
  }[]
}

const curveFigure = ({ id, metric, unit, write, axis, caption, curves }: CurveData): Figure => ({
  ...{ id, title: `${metric.charAt(0).toUpperCase()}${metric.slice(1)} over ${axis}`, caption },
  draw: options =>
    drawChart(
      'learningCurves',
      {
        ...{ metric, unit },
        stepLabel: axis,
        isCount: true,
        ...(unit === '%' ? { range: [0, 100] as const } : {}),
        subtitle: 'in the order in which instances ended',
        curves: curves.map(({ label, n, points }) => ({
          ...{ label, n, units: 'instances' },
          points: points.map(({ step, value }) => ({ step, mean: value })),
        })),
      },
      options,
    ),
  table: {
    columns: [{ name: 'variant' }, { name: axis, write: String }, { name: metric, write }],
    rows: curves.flatMap(({ label, points }) => points.map(({ step, value }) => [label, step, value])),
  },
})

const count = (name: string, cell: (row: AgentRow) => number | null): Column => ({ name, write: String, cell })
const share = (name: string, cell: (row: AgentRow) => number | null): Column => ({ name, write: percentText, cell })
const money = (name: string, cell: (row: AgentRow) => number | null): Column => ({ name, write: dollars, cell })
const amount = (name: string, cell: (row: AgentRow) => number | null): Column => ({ name, write: plainNumber, cell })
const times100 = (value: number | null): number | null => (value === null ? null : 100 * value)
const hundredths = (value: number): string => percentText(value / 100)
