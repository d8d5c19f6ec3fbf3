import { percentText } from '../../analyze/numbers.ts'
import { barsChart } from '../../charts/bars.ts'
import type { Failures } from '../findings/failures.ts'
import type { Figure } from './figure.ts'

/** How runs failed, the most frequent way first. */
export function failuresFigure({ classes, of }: Failures): Figure {
  return {
    id: 'failures',
    title: 'Runs without a result, by class',
    caption: `Of ${of} runs that ended.`,
    draw: options =>
      barsChart(
        {
          title: 'Runs without a result, by class',
          metric: 'runs',
          isCount: true,
          panels: [[{ bars: classes.slice(0, 20).map(({ name, runs }) => ({ label: name, value: runs.length })) }]],
        },
        options,
      ),
    table: {
      columns: [
        { name: 'class' },
        { name: 'runs', write: String },
        { name: 'share of runs', write: percentText },
        { name: 'hardest hit' },
        { name: 'message' },
      ],
      rows: classes.map(({ name, runs, variants, message }) => [
        name,
        runs.length,
        runs.length / of,
        variants.map(({ label, count, of: all }) => `${label} ${count}/${all}`).join('; '),
        message,
      ]),
    },
  }
}
