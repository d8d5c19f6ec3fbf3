import * as z from 'zod'
import { pathInRun, settings, text, wholeNumberFrom0 } from '../parts.ts'

/** A metric as it is written: one flat map, so that a line of YAML is enough. */
export const metric = z.lazy(() =>
  z.strictObject({
    goal: z.enum(['minimize', 'maximize']).optional().describe('Which way is better.'),
    primary: z.boolean().optional().describe('The metric that decides. At most one.'),
    value: z
      .enum(['last', 'best'])
      .optional()
      .describe('Which of its values over steps counts for a run: the last, or by its goal the best. Default: last.'),
    range: z
      .tuple([z.number().nullable(), z.number().nullable()])
      .refine(([low, high]) => low === null || high === null || low < high, {
        error: 'expected the lower end first, such as [0, 100]',
      })
      .optional()
      .describe(
        'Where its values can lie, such as [0, 100]; null: that end is open. For `analysis: { missing: bounds }`.',
      ),
    csv: pathInRun.optional().describe("Read from this CSV file, relative to the run's directory."),
    column: text.optional().describe('The column of the CSV file. Default: the name of the metric.'),
    row_name: text
      .optional()
      .describe('For the metric "*": how the rows of the CSV file are told apart, such as "{provider}_tier{tier_id}".'),
    json: pathInRun.optional().describe("Read from this JSON file, relative to the run's directory."),
    path: text.optional().describe('Where in the JSON file, such as "result.score". Default: the name of the metric.'),
    jsonl: pathInRun.optional().describe('Read from this file with one JSON object per line: a metric over steps.'),
    field: text.optional().describe('The field of each JSON line. Default: the name of the metric.'),
    step: text.optional().describe('The field that counts the steps. Default: the number of the line.'),
    regex: text.optional().describe('Search for this regular expression in "file".'),
    file: pathInRun.optional().describe('The file to search with "regex". Default: stdout.txt.'),
    group: z
      .union([wholeNumberFrom0, text], { error: 'expected the number or name of a group' })
      .optional()
      .describe('The group of the regular expression that holds the number. Default: the first, or the whole match.'),
    source: text.optional().describe('A metric source of your own, from `metric_sources`.'),
    settings: settings.optional(),
    tensorboard: pathInRun
      .optional()
      .describe(
        "Read from TensorBoard's event files in this folder, relative to the run's directory: a metric over steps.",
      ),
    tag: text.optional().describe('The tag of the events. Default: the name of the metric.'),
    reward: z.literal(true).optional().describe('The reward of a task.'),
    optional: z.boolean().optional().describe('A missing file means no value, and is no problem.'),
  }),
)

export type WrittenMetric = z.output<typeof metric>

interface SourceKeys {
  /** The keys that only make sense for it. */
  readonly keys: readonly (keyof WrittenMetric)[]
  /** The key that selects one number, where the metric "*" can take every number instead. */
  readonly picks?: keyof WrittenMetric | null
  /** It gives values over steps, of which the best may count. */
  readonly isSeries?: true
}

/** Each way to read a metric. */
export const metricSources = {
  csv: { keys: ['column', 'row_name', 'optional'], picks: 'column' },
  json: { keys: ['path', 'optional'], picks: 'path' },
  jsonl: { keys: ['field', 'step', 'optional'], isSeries: true },
  regex: { keys: ['file', 'group', 'optional'] },
  tensorboard: { keys: ['tag', 'optional'], picks: 'tag', isSeries: true },
  reward: { keys: [] },
  // The values of a user's module are not known here.
  source: { keys: ['settings'], picks: null, isSeries: true },
} as const satisfies Record<string, SourceKeys>

export const sourceKeys = (kind: keyof typeof metricSources): SourceKeys => metricSources[kind]

export const metricSourceKinds = Object.keys(metricSources) as (keyof typeof metricSources)[]
