import type { JsonObject } from '../../../util/json.ts'
import { levelText, shellQuote } from '../../../util/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { defaultView, type View } from '../view.ts'

/** A command line, and what it is for. */
interface CommandLine {
  readonly line: string
  readonly meaning: string
}

/** How to reproduce every number of the page. */
export function commandsOf(dataset: Dataset, view: View): readonly CommandLine[] {
  const { experiments } = dataset
  const places = experiments.flatMap(({ place, parts = [] }) => [place, ...parts])
  // Filters that the reader of the page can't change.
  const only = (dataset.evidence.filter?.texts ?? []).map(text => ` --filter ${shellQuote(text)}`).join('')
  const configs = experiments.flatMap(({ config }) => config ?? [])
  const isTable = experiments.every(({ dialect }) => dialect === null)
  return [
    ...configs.map(config => ({
      line: lineOf('run', config),
      meaning: 'makes the runs that are missing; finished ones are reused',
    })),
    ...(view.group.length === 0 || isTable
      ? []
      : [{ line: `${compareLine(places, view)}${only}`, meaning: 'the comparison above' }]),
    ...(isTable ? [] : [{ line: `${reportLine(dataset, places, view)}${only}`, meaning: 'this page' }]),
  ]
}

function compareLine(places: readonly string[], view: View): string {
  return lineOf(
    'compare',
    ...places,
    '--control',
    controlText(view.baseline),
    '--metric',
    view.metric,
    ...confidenceAndFilter(view),
  )
}

/** What the page shows now: everything that differs from the page's initial state must be stated. */
function reportLine(dataset: Dataset, places: readonly string[], view: View): string {
  const { metric, baseline } = defaultView(dataset)
  return lineOf(
    'report',
    ...places,
    ...(view.metric === metric ? [] : ['--metric', view.metric]),
    ...(view.group.length === 0 || controlText(view.baseline) === controlText(baseline)
      ? []
      : ['--control', controlText(view.baseline)]),
    ...confidenceAndFilter(view),
  )
}

const confidenceAndFilter = ({ alpha, filter }: View): readonly string[] => [
  ...(alpha === 0.05 ? [] : ['--alpha', String(alpha)]),
  ...(filter.trim() === '' ? [] : ['--filter', filter.trim()]),
]

const controlText = (levels: JsonObject): string =>
  Object.entries(levels)
    .map(([name, level]) => `${name}=${levelText(level)}`)
    .join(',')

const lineOf = (...words: readonly string[]): string => ['assay', ...words].map(shellQuote).join(' ')
