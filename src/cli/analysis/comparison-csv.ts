import type { Compared } from '../../analyze/compare/compare.ts'
import { csvLine } from '../../util/csv.ts'

const columns = ['group', 'label', 'value_or_control', 'candidate_value_optional', 'metric', 'detail']

/** The values and what came of them; the first four columns are those of the pipeline that compare takes over from. */
export function comparisonCsv(compared: readonly Compared[]): string {
  return csvLine(columns) + compared.map(rowsOf).join('')
}

function rowsOf({ comparison, samples }: Compared): string {
  const { metric, control, candidate } = comparison
  const line = (group: string, label: string, value: number | null, other: number | null = null, detail = ''): string =>
    csvLine([group, label, cell(value), cell(other), metric, detail])
  const values =
    samples.pairedBy === null
      ? [
          ...samples.control.map((value, index) => line('control', samples.keys[index] ?? control, value)),
          ...samples.candidate.map(value => line('candidate', candidate, value)),
        ]
      : samples.control.map((value, index) =>
          line('paired', `${control} vs ${candidate}`, value, samples.candidate[index] ?? null, samples.keys[index]),
        )
  return [
    ...values,
    line('result', 'effect', comparison.estimate),
    line('result', 'ci_low', comparison.ci?.low ?? null, null, comparison.ci?.method),
    line('result', 'ci_high', comparison.ci?.high ?? null, null, comparison.ci?.method),
    line('result', 'p', comparison.p, null, comparison.test),
    line('result', 'seed', comparison.seed),
    line('result', 'resamples', comparison.resamples),
    csvLine(['result', 'verdict', comparison.verdict, '', metric, comparison.sentence]),
  ].join('')
}

/** Nine significant digits. */
const cell = (value: number | null): string => (value === null ? '' : String(Number(value.toPrecision(9))))
