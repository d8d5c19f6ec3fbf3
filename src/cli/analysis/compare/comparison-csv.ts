import type { Compared } from '../../../analyze/compare/compare.ts'
import { type Provenance, provenanceFacts, settingFacts } from '../../../analyze/provenance/provenance.ts'
import type { Observation } from '../../../define/observation.ts'
import { csvLine } from '../../../util/csv.ts'
import { nineDigits } from './nine-digits.ts'

const columns = ['group', 'label', 'value_or_control', 'candidate_value_optional', 'metric', 'detail']

/** The values and the results; the first four columns are those of Metta's benchmark pipeline. */
export function comparisonCsv(compared: readonly Compared[], provenance: Provenance): string {
  return csvLine(columns) + compared.map(rowsOf).join('') + provenanceRows(provenance)
}

/** Words, so they come after the numeric columns. */
const provenanceRows = (provenance: Provenance): string =>
  [...provenanceFacts(provenance), ...settingFacts(provenance)]
    .map(({ name, text }) => csvLine(['provenance', name, '', '', '', text]))
    .join('')

function rowsOf({ comparison, samples }: Compared): string {
  const { metric, ci, test } = comparison
  const line = (group: string, label: string, value: number | null, other: number | null = null, detail = ''): string =>
    csvLine([group, label, cell(value), cell(other), metric, detail])
  return [
    ...(samples.pairedBy === null ? valueRows(comparison, samples, line) : pairRows(comparison, samples, line)),
    line('result', 'effect', comparison.estimate),
    line('result', 'ci_low', ci?.low ?? null, null, ci?.method),
    line('result', 'ci_high', ci?.high ?? null, null, ci?.method),
    line('result', 'p', comparison.p, null, test),
    line('result', 'seed', comparison.seed),
    line('result', 'resamples', comparison.resamples),
    csvLine(['result', 'verdict', comparison.verdict, '', metric, comparison.sentence]),
  ].join('')
}

type Line = (group: string, label: string, value: number | null, other?: number | null, detail?: string) => string

function valueRows(
  { control, candidate }: Compared['comparison'],
  { runs, ...samples }: Compared['samples'],
  line: Line,
) {
  return [
    ...samples.control.map((value, at) => line('control', nameOf(runs.control[at], control), value)),
    ...samples.candidate.map((value, at) => line('candidate', nameOf(runs.candidate[at], candidate), value)),
  ]
}

function pairRows(
  { control, candidate }: Compared['comparison'],
  { runs, keys, ...samples }: Compared['samples'],
  line: Line,
) {
  return samples.control.map((value, at) => {
    const label = `${nameOf(runs.control[at], control)} vs ${nameOf(runs.candidate[at], candidate)}`
    return line('paired', label, value, samples.candidate[at] ?? null, keys[at])
  })
}

/** The run behind a value; if several were averaged, the arm. */
const nameOf = (runs: readonly Observation[] | undefined, arm: string): string =>
  runs?.length === 1 ? (runs[0]?.name ?? arm) : arm

const cell = (value: number | null): string => (value === null ? '' : nineDigits(value))
