import type { ComponentChildren } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { taskOf } from '../../src/analyze/scores/scores.ts'
import { worksOnTasks } from '../../src/define/experiment.ts'
import type { Series } from '../../src/define/run.ts'
import type { TraceTurn } from '../../src/report/dataset/dataset.ts'
import { figuresOf } from '../../src/report/figures/figures.ts'
import type { JsonObject } from '../../src/util/json.ts'
import { amountText, levelText, plainNumber } from '../../src/util/words.ts'
import { PageContext, usePage } from '../app/context.ts'
import { Dialog } from '../parts/dialog.tsx'
import { type Fact, Facts } from '../parts/facts.tsx'
import { FigureViews } from '../parts/figure-view.tsx'
import { BranchLinks } from '../story/branch-links.tsx'
import { type MoreStory, StoryView } from '../story/story-view.tsx'
import { TaskView } from '../task/task-view.tsx'
import { ChooseOther } from '../trajectory/choose-other.tsx'
import { TrajectoryView } from '../trajectory/trajectory-view.tsx'
import type { MoreTurns } from '../trajectory/use-turns.ts'
import { bytesText, OutputView } from './output-view.tsx'
import { timeText } from './run-columns.ts'
import { type KnownRun, runById } from './run-index.ts'
import { TraceView } from './trace-view.tsx'
import { valueText } from './value-text.ts'

/** One run: its settings, its result, its output. */
export function RunDialog({ id }: { readonly id: string }) {
  const { dataset, go } = usePage()
  const known = runById(dataset, id)
  const close = (): void => go({ run: null })
  if (known === undefined)
    return (
      <Dialog title="No such run" onClose={close}>
        <p>{id} is not in this report.</p>
      </Dialog>
    )
  const { run, folder } = known
  return (
    <Dialog title={run.name} onClose={close}>
      {folder.task === null && <NoRoom known={known} />}
      {folder.trajectory === null && <NoRoomForTurns known={known} />}
      {folder.story === null && <NoRoomForStory known={known} />}
      <RunFactsView known={known} />
      <Files known={known} />
      <h3>Output</h3>
      <OutputView tails={folder.output} />
      {folder.trace.length > 0 && (
        <ModelCalls turns={folder.trace} isFolded={folder.trajectory !== null || folder.story !== null} />
      )}
    </Dialog>
  )
}

/** A run's settings, result and events. */
export function RunFactsView({
  known,
  moreTurns = null,
  moreStory = null,
}: {
  readonly known: KnownRun
  readonly moreTurns?: MoreTurns | null
  readonly moreStory?: MoreStory | null
}) {
  const { run, folder } = known
  return (
    <>
      <Outcome known={known} />
      {folder.task !== null && <TaskView work={folder.task} />}
      {folder.trajectory !== null && (
        <>
          <TrajectoryView key={known.id} found={folder.trajectory} more={moreTurns} />
          <ChooseOther known={known} common="task" commonOf={taskOf} has={({ trajectory }) => trajectory !== null} />
        </>
      )}
      {folder.story !== null && (
        <>
          <BranchLinks known={known} />
          <ChooseOther known={known} common="scenario" commonOf={scenarioOf} has={({ story }) => story !== null} />
          <StoryView key={known.id} found={folder.story} more={moreStory} />
        </>
      )}
      <Values title="Parameters" values={run.params} />
      <Values title="Block" values={run.block} />
      <Metrics known={known} />
      <Attempts known={known} />
      <SeriesFigures series={run.series} />
    </>
  )
}

/** A trajectory or a story shows the same more briefly, so the calls are folded below it. */
export function ModelCalls({ turns, isFolded }: { readonly turns: readonly TraceTurn[]; readonly isFolded: boolean }) {
  return (
    <FoldedCalls isFolded={isFolded} count={turns.length}>
      <TraceView turns={turns} />
    </FoldedCalls>
  )
}

interface FoldedCallsProps {
  readonly isFolded: boolean
  readonly count: number
  readonly children: ComponentChildren
}

export function FoldedCalls({ isFolded, count, children }: FoldedCallsProps) {
  if (!isFolded)
    return (
      <>
        <h3>Model calls</h3>
        {children}
      </>
    )
  return (
    <details class="test">
      <summary>Model calls ({count})</summary>
      {children}
    </details>
  )
}

/** A report contains the work of a few hundred agents at most. */
function NoRoom({ known: { run, folder } }: { readonly known: KnownRun }) {
  const { dataset } = usePage()
  const { tasks, with_task } = dataset.kept
  const { definition } = dataset.experiments.find(({ name }) => name === run.source) ?? {}
  const isEmpty = folder.files !== null && !folder.files.some(({ path }) => path === 'evaluation_results.json')
  if (isEmpty || with_task === tasks || definition == null || !worksOnTasks(definition.target)) return null
  return (
    <p class="note">
      This page has room for what the agent did in {with_task} of {tasks} runs, and not in this one: its folder has it.
    </p>
  )
}

/** It contains only some trajectories. */
function NoRoomForTurns({ known: { folder } }: { readonly known: KnownRun }) {
  const { trajectories, with_trajectory } = usePage().dataset.kept
  if (!folder.files?.some(({ path }) => path === 'trajectory.json')) return null
  return (
    <p class="note">
      This page has room for the trajectories of {with_trajectory} of {trajectories} runs, and not for this one:
      trajectory.json in its folder has it. `assay serve` shows all of them.
    </p>
  )
}

/** It contains only some stories. */
function NoRoomForStory({ known: { folder } }: { readonly known: KnownRun }) {
  const { stories, with_story } = usePage().dataset.kept
  if (!folder.files?.some(({ path }) => path === 'scenario-state.json')) return null
  return (
    <p class="note">
      This page has room for the stories of {with_story} of {stories} runs, and not for this one: turns/ in its folder
      has it. `assay serve` shows all of them.
    </p>
  )
}

/** The scenario of a run: scenarios in several folders are distinguished. */
const scenarioOf = ({ params }: KnownRun['run']): string => JSON.stringify(params.scenario ?? null)

function Outcome({ known: { run } }: { readonly known: KnownRun }) {
  const { outcome } = run
  const facts = [
    ['State', run.state.replaceAll('_', ' ')],
    ['Class', outcome?.error_class],
    ['Exit status', outcome?.exit_status],
    ['Exit code', outcome?.exit_code],
    ['Message', outcome?.message],
    ['Seed', run.seed],
    ['Replicate', run.replicate],
    ['Started', run.started_at === null ? null : timeText(run.started_at)],
    ['Took', run.wall_s === null ? null : `${plainNumber(run.wall_s)} s`],
    [
      'Cost',
      run.cost_usd === null ? null : `${amountText('cost_usd')(run.cost_usd)}${run.cost_assumed ? ' (assumed)' : ''}`,
    ],
    ['Processor', run.cpu_s === null ? null : `${plainNumber(run.cpu_s)} s`],
    ['Memory', run.max_rss_bytes === null ? null : bytesText(run.max_rss_bytes)],
    ['Code', run.code],
    ['Planned because', run.why],
    ['Tags', run.tags.length === 0 ? null : run.tags.join(', ')],
    ...run.notes.map(note => ['Note', note] as const),
  ] as const
  const known = facts.flatMap(([name, value]): readonly Fact[] => (value == null ? [] : [[name, value]]))
  return <Facts facts={known} outcome={outcome?.kind ?? run.state} />
}

function Values({ title, values }: { readonly title: string; readonly values: JsonObject }) {
  const entries = Object.entries(values)
  if (entries.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <Facts facts={entries.map(([name, value]) => [name, levelText(value)])} />
    </>
  )
}

function Metrics({ known: { run } }: { readonly known: KnownRun }) {
  const there = Object.entries(run.metrics)
  const missing = Object.entries(run.problems).filter(([name]) => run.metrics[name] === undefined)
  if (there.length + missing.length === 0) return null
  return (
    <>
      <h3>Metrics</h3>
      <table class="plain">
        <tbody>
          {there.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number" title={String(value)}>
                {valueText(name)(value)}
              </td>
            </tr>
          ))}
          {missing.map(([name, problem]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>none: {problem}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Attempts({ known: { run } }: { readonly known: KnownRun }) {
  if (run.attempts.length < 2) return null
  return (
    <>
      <h3>Attempts</h3>
      <table class="plain">
        <thead>
          <tr>
            {['attempt', 'outcome', 'started', 'took', 'cost', ''].map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {run.attempts.map(({ number, outcome, started_at, wall_s, cost_usd, superseded }) => (
            <tr key={`${number} ${started_at}`}>
              <td>{number}</td>
              <td>
                {(outcome?.kind ?? 'not ended').replaceAll('_', ' ')}
                {outcome?.message === undefined ? '' : `: ${outcome.message}`}
              </td>
              <td>{timeText(started_at)}</td>
              <td class="number">{wall_s === null ? '–' : `${plainNumber(wall_s)} s`}</td>
              <td class="number">{cost_usd === null ? '–' : amountText('cost_usd')(cost_usd)}</td>
              <td>{superseded ? 'came too late' : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function SeriesFigures({ series }: { readonly series: readonly Series[] }) {
  const experiments = useContext(PageContext)?.dataset.experiments ?? noExperiments
  const figures = useMemo(
    () => series.flatMap(one => figuresOf.run({ series: one, experiments })),
    [series, experiments],
  )
  return <FigureViews figures={figures} />
}

const noExperiments: readonly never[] = []

/** Files that a browser shows as text or as a picture. Pages and drawings written by runs might execute scripts. */
const safe = /(^|\/)[^/.]*$|\.(txt|log|json|jsonl|csv|tsv|md|yaml|yml|toml|diff|patch|png|jpe?g|gif|webp)$/i

function Files({ known: { run, folder } }: { readonly known: KnownRun }) {
  const { loaded } = usePage()
  const { files } = folder
  if (files === null) return null
  const link = (path: string): string | null =>
    loaded.runsFolder === null || !safe.test(path)
      ? null
      : `${loaded.runsFolder}/${[run.name, ...path.split('/')].map(encodeURIComponent).join('/')}`
  return (
    <>
      <h3>Files</h3>
      <table class="plain">
        <tbody>
          {files.map(({ path, bytes }) => (
            <tr key={path}>
              <td>
                {link(path) === null ? (
                  path
                ) : (
                  <a href={link(path) ?? ''} target="_blank" rel="noreferrer">
                    {path}
                  </a>
                )}
              </td>
              <td class="number">{bytesText(bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
