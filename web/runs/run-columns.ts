import type { Dataset } from '../../src/report/dataset/dataset.ts'
import type { Cell } from '../../src/report/figures/figures.ts'
import { varyingFactors } from '../../src/report/findings/view.ts'
import type { Json, JsonObject } from '../../src/util/json.ts'
import { amountText, levelText, plainNumber } from '../../src/util/words.ts'
import type { KnownRun } from './run-index.ts'
import { isBooked, numberOf, numbersOf } from './run-numbers.ts'
import { valueText } from './value-text.ts'

/** A column of the table of runs. */
export interface RunColumn {
  /** Also its name in filters. */
  readonly name: string
  readonly isNumber: boolean
  /** Shown unless the reader hides it. */
  readonly isUsual: boolean
  cell(run: KnownRun): Cell
  text(run: KnownRun): string
}

const mostMetrics = 4

/** Everything that can be a column, in a sensible order. */
export function runColumns(dataset: Dataset): readonly RunColumn[] {
  const { evidence } = dataset
  const { runs } = evidence
  const varying = varyingFactors(evidence)
  const params = namesIn(runs.map(run => run.params))
  const declared = evidence.metrics.map(({ name }) => name)
  const numbers = numbersOf(runs, declared)
  const hasTimes = runs.some(run => run.started_at !== null)
  const primary = evidence.metrics.find(metric => metric.primary)?.name ?? declared[0] ?? numbers[0]
  const shared = sharedStart(runs.map(({ name }) => name))
  const numbered = (name: string, at: number): RunColumn =>
    number(
      name,
      at < mostMetrics || declared.includes(name) || isBooked(name),
      isWhole(runs, name) ? valueText(name) : amountText(name),
      ({ run }) => numberOf(run, name),
    )
  return [
    { ...text('run', true, ({ run }) => run.name), text: ({ run }) => shownName(run.name.slice(shared)) },
    ...(primary === undefined || !numbers.includes(primary) ? [] : [numbered(primary, 0)]),
    ...(evidence.sources.length > 1 ? [text('experiment', true, ({ run }) => run.source)] : []),
    ...params.map(name => level(name, varying.includes(name), ({ run }) => run.params[name])),
    ...evidence.blocks.map(name => level(name, true, ({ run }) => run.block[name])),
    ...(runs.some(({ replicate }) => replicate > 1)
      ? [number('replicate', true, String, ({ run }) => run.replicate)]
      : []),
    text('state', true, ({ run }) => run.state.replaceAll('_', ' ')),
    ...numbers.map(numbered).filter(({ name }) => name !== primary),
    ...(hasTimes
      ? [
          number('cpu_s', false, seconds, ({ run }) => run.cpu_s),
          number('max_rss_bytes', false, megabytes, ({ run }) => run.max_rss_bytes),
          number(
            'attempts',
            runs.some(run => run.attempts.length > 1),
            String,
            ({ run }) => run.attempts.length,
          ),
          number('started', false, timeText, ({ run }) => run.started_at),
        ]
      : []),
    text(
      'exit_status',
      runs.some(({ outcome }) => outcome?.exit_status !== undefined),
      ({ run }) => run.outcome?.exit_status ?? null,
    ),
    text('error_class', false, ({ run }) => run.outcome?.error_class ?? null),
    text('message', false, ({ run }) => run.outcome?.message ?? null),
    text('why', false, ({ run }) => run.why),
    text('tags', false, ({ run }) => (run.tags.length === 0 ? null : run.tags.join(', '))),
  ]
}

/** The part of a name before its hash repeats the columns next to it. */
const shownName = (name: string): string => /__([0-9a-f]{12})$/.exec(name)?.[1] ?? name

/** The common beginning of all names, up to a dot, a dash or an underscore: `icl_benchmark.` is redundant in a row. */
function sharedStart(names: readonly string[]): number {
  const [first = ''] = names
  let length = names.length < 2 ? 0 : first.length
  for (const name of names) while (length > 0 && !name.startsWith(first.slice(0, length))) length--
  while (length > 0 && !/[._-]/.test(first[length - 1] ?? '')) length--
  return length
}

/** In a column of whole numbers, zeros after the decimal point are redundant; among other numbers they align. */
const isWhole = (runs: Dataset['evidence']['runs'], metric: string): boolean =>
  runs.every(run => {
    const value = numberOf(run, metric)
    return value === null || Number.isInteger(value)
  })

/** In order of first occurrence. A hundred thousand runs repeat them: no list of all is made. */
function namesIn(objects: readonly JsonObject[]): readonly string[] {
  const names = new Set<string>()
  for (const object of objects) for (const name in object) names.add(name)
  return [...names]
}

function text(name: string, isUsual: boolean, cell: (run: KnownRun) => string | null): RunColumn {
  return { name, isNumber: false, isUsual, cell, text: run => cell(run) ?? '' }
}

/** A number in one run may be a word in another. */
function level(name: string, isUsual: boolean, cell: (run: KnownRun) => Json | undefined): RunColumn {
  const value = (run: KnownRun): Cell => {
    const found = cell(run)
    return found === undefined || found === null ? null : typeof found === 'number' ? found : levelText(found)
  }
  return { name, isNumber: false, isUsual, cell: value, text: run => String(value(run) ?? '') }
}

function number(
  name: string,
  isUsual: boolean,
  write: (value: number) => string,
  cell: (run: KnownRun) => number | null,
): RunColumn {
  return {
    name,
    isNumber: true,
    isUsual,
    cell,
    text: run => {
      const value = cell(run)
      return value === null ? '–' : write(value)
    },
  }
}

const seconds = (value: number): string => `${plainNumber(value)} s`
const megabytes = (value: number): string => `${plainNumber(value / 1e6)} MB`
export const timeText = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
