import { useMemo, useState } from 'preact/hooks'
import { readingOf } from '../../src/analyze/reading.ts'
import type { Dataset } from '../../src/report/dataset/dataset.ts'
import { tableCsv } from '../../src/report/figures/figures.ts'
import { idOf, isUnderWay, keptBy, type View } from '../../src/report/findings/view.ts'
import { orReason } from '../../src/util/errors.ts'
import { counted } from '../../src/util/words.ts'
import { usePage } from '../app/context.ts'
import { download, fileName } from '../parts/download.ts'
import { Field } from '../parts/field.tsx'
import { Section } from '../parts/section.tsx'
import { type RunColumn, runColumns } from './run-columns.ts'
import { runFilter } from './run-filter.ts'
import { type KnownRun, runsOf } from './run-index.ts'
import { RunsTable, type Sorting } from './runs-table.tsx'
import { useSorted } from './use-sorted.ts'

/** Every run: to sort, search and open. */
export function RunsSection() {
  return (
    <Section id="runs" title="Runs">
      <Body />
    </Section>
  )
}

function Body() {
  const { dataset, view, go, open } = usePage()
  const columns = useMemo(() => runColumns(dataset), [dataset])
  const [names, setNames] = useState<ReadonlySet<string>>(
    () => new Set(columns.filter(column => column.isUsual).map(({ name }) => name)),
  )
  const [text, setText] = useState('')
  const [sorting, setSorting] = useState(() => defaultSorting(dataset, view))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const inView = useMemo(() => {
    if (view.filter.trim() === '') return [...runsOf(dataset).values()]
    const kept = keptBy(dataset.evidence, view.filter)
    const ids = new Set('found' in kept ? kept.found.runs.map(idOf) : [])
    return [...runsOf(dataset).values()].filter(({ id }) => ids.has(id))
  }, [dataset, view.filter])
  const found = useMemo(() => orReason(() => inView.filter(runFilter(text, columns))), [inView, text, columns])
  const rows = useSorted('found' in found ? found.found : nothing, columns, sorting)
  const shown = columns.filter(({ name }) => names.has(name))
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id].slice(-2))
  const [a, b] = chosen
  return (
    <>
      <div class="fields runs-tools">
        <Field label="Find" id="runs-find">
          <input
            id="runs-find"
            type="search"
            value={text}
            placeholder="words, or e.g. wall_s > 2"
            aria-invalid={'reason' in found}
            onInput={event => setText(event.currentTarget.value)}
          />
        </Field>
        <details class="chooser">
          <summary>Columns</summary>
          <fieldset>
            <legend>Columns to show</legend>
            {columns.map(({ name }) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={names.has(name)}
                  onChange={() =>
                    setNames(new Set(names.has(name) ? [...names].filter(one => one !== name) : [...names, name]))
                  }
                />
                {name}
              </label>
            ))}
          </fieldset>
        </details>
        <button
          type="button"
          disabled={a === undefined || b === undefined}
          title="Choose two runs by their boxes"
          onClick={() => a !== undefined && b !== undefined && go({ pair: { kind: 'runs', a, b }, run: null })}
        >
          Side by side{chosen.length === 0 ? '' : ` (${chosen.length} of 2)`}
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="CSV: runs"
          onClick={() => download(fileName(`${dataset.title} runs`, 'csv'), csvOf(rows, columns), 'text/csv')}
        >
          CSV
        </button>
        <button
          type="button"
          class="quiet"
          aria-label="JSONL: runs"
          title="Every run with everything that is known of it, a line each"
          onClick={() => download(fileName(`${dataset.title} runs`, 'jsonl'), jsonLines(rows), 'application/jsonl')}
        >
          JSONL
        </button>
      </div>
      {'reason' in found && (
        <p class="field-reason" role="alert">
          {found.reason}
        </p>
      )}
      <p class="note" role="status">
        {rows.length === inView.length
          ? counted(rows.length, 'run')
          : `${rows.length} of ${counted(inView.length, 'run')}`}
      </p>
      <RunsTable
        columns={shown}
        rows={rows}
        sorting={sorting}
        choice={JSON.stringify([view.filter, text, sorting])}
        chosen={chosen}
        onSort={setSorting}
        onChoose={toggle}
        onOpen={open}
      />
    </>
  )
}

/** A search's best runs come first; while runs are coming in, rows keep their order. */
function defaultSorting(dataset: Dataset, { metric }: View): Sorting | null {
  const search = dataset.experiments.find(one => one.search !== null)?.search ?? null
  if (search === null || isUnderWay(dataset)) return null
  const { goal, isGoalKnown } = readingOf(dataset.evidence, { metric })
  if (search.goal === null && !isGoalKnown) return null
  return { column: metric, sign: (search.goal ?? goal) === 'maximize' ? -1 : 1 }
}

const nothing: readonly KnownRun[] = []

const csvOf = (rows: readonly KnownRun[], columns: readonly RunColumn[]): string =>
  tableCsv({
    columns: columns.map(({ name }) => ({ name })),
    rows: rows.map(run => columns.map(({ cell }) => cell(run))),
  })

const jsonLines = (rows: readonly KnownRun[]): string =>
  rows.map(known => `${JSON.stringify(jsonOf(known))}\n`).join('')

/** Data that is never in a dataset is left out; an attempt's outcome is its kind, as in `why --json`. */
function jsonOf({ run, folder }: KnownRun) {
  const { key: _key, token: _token, place: _place, outputs: _outputs, ...shownFacts } = run
  const attempts = run.attempts.map(({ fingerprint: _fingerprint, worker: _worker, outcome, ...attempt }) => ({
    ...attempt,
    outcome: outcome?.kind ?? null,
    message: outcome?.message ?? null,
  }))
  return { ...shownFacts, ...folder, attempts }
}
