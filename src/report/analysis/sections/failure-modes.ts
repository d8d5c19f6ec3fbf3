import { lastWords } from '../../../analyze/batch/patterns/findings.ts'
import type { Patterns } from '../../../analyze/batch/patterns/patterns.ts'
import { markdownTable, safe } from '../markdown.ts'
import { mostRows, type Section } from './section.ts'

export function failureModes({ failure_modes: modes }: Patterns): Section {
  if (modes.length === 0) return []
  const rows = modes
    .slice(0, mostRows)
    .map(one => [
      safe(one.mode),
      String(one.count),
      one.counts_as === 'failure' ? 'failure' : 'not judged',
      safe(lastWords(one) ?? ''),
      one.example_runs.map(name => `\`${name}\``).join(' '),
    ])
  return ['## Failure Modes', '', ...markdownTable(['how', 'runs', 'counts as', 'last words', 'for example'], rows)]
}
