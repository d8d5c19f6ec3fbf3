import { counted } from '../../../util/words.ts'
import type { Dataset } from '../../dataset/dataset.ts'
import { failuresOf } from '../../findings/failures.ts'
import { idOf, type View } from '../../findings/view.ts'
import { list, section, tableText } from './parts.ts'

const mostClasses = 10
const mostExamples = 3
const mostLines = 8
const longestText = 600

/** The last output of failed runs, and the metrics that completed runs lack; the table above has their number. */
export function failuresText(dataset: Dataset, view: View): string {
  const found = failuresOf(dataset, view)
  if ('reason' in found) return ''
  const { classes, missing } = found.found
  const known = new Map(dataset.evidence.runs.map((run, at) => [idOf(run), { run, folder: dataset.folders[at] }]))
  const examples = classes.slice(0, mostClasses).flatMap(({ name, runs }) =>
    runs.slice(0, mostExamples).map(id => {
      const { run, folder } = known.get(id) ?? {}
      const printed = (folder?.output ?? []).map(({ text }) => lastLines(text)).filter(text => text !== '')
      return [name, nameIn(id), run?.outcome.message ?? null, printed.length === 0 ? null : printed.join(' ↵ ')]
    }),
  )
  const lacking = missing.map(
    ({ metric, problem, runs }) =>
      `${metric}: ${problem} in ${counted(runs.length, 'run')}, e.g. ${nameIn(runs[0] ?? '')}`,
  )
  // A cell contains no blocks: printed text stays text.
  const table = tableText({
    columns: ['class', 'run', 'message', 'printed last'].map(name => ({ name })),
    rows: examples,
  })
  return [
    section('Examples of failures', examples.length === 0 ? '' : table),
    section('Metrics that are missing though the run completed', list(lacking.slice(0, 50))),
  ]
    .filter(part => part !== '')
    .join('\n\n')
}

function lastLines(text: string): string {
  const lines = text.split(/\r?\n/).filter(line => line.trim() !== '')
  const last = lines.slice(-mostLines).join(' ↵ ')
  return last.length > longestText ? `… ${last.slice(-longestText)}` : last
}

/** Without the name of its experiment. */
const nameIn = (id: string): string => id.replace(/^[^/]*\//, '')
