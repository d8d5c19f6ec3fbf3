import { armsFor, levelsOf, sameLevel } from '../analyze/arms.ts'
import { readingOf } from '../analyze/reading.ts'
import type { Evidence } from '../define/observation.ts'
import { filterEvidence } from '../plan/select/filter-evidence.ts'
import { AssayError } from '../util/errors.ts'
import type { JsonObject } from '../util/json.ts'
import type { View } from './findings/view.ts'

/** The initial view of a report. */
export interface ViewAsked {
  readonly metric?: string | undefined
  readonly control?: JsonObject | undefined
  readonly alpha?: number | undefined
  /** The reader can change a single filter; several were applied before. */
  readonly filter?: readonly string[] | undefined
}

/** The defaults, overridden by the options. Mistakes are reported here, not in the page. */
export function viewAsked(evidence: Evidence, defaults: View, asked: ViewAsked): View {
  const { metric, control, alpha, filter = [] } = asked
  if (metric !== undefined) readingOf(evidence, { metric })
  if (control !== undefined) armsFor(evidence, { control })
  if (filter.length === 1 && filterEvidence(evidence, filter).runs.length === 0)
    throw new AssayError('usage', 'no run passes the filter')
  return {
    ...defaults,
    ...(metric === undefined ? {} : { metric }),
    ...(control === undefined ? {} : { group: Object.keys(control), baseline: asMeasured(evidence, control) }),
    ...(alpha === undefined ? {} : { alpha }),
    filter: filter.length === 1 ? (filter[0] ?? '') : '',
  }
}

/** On a command line every level is text; in the runs `0.9` is a number. */
const asMeasured = (evidence: Evidence, levels: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(levels).map(([name, level]) => [
      name,
      levelsOf(evidence, name).find(other => sameLevel(other, level)) ?? level,
    ]),
  )
