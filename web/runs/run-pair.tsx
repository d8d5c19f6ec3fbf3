import { useMemo } from 'preact/hooks'
import type { TraceTurn } from '../../src/report/dataset/dataset.ts'
import { type Cell, figuresOf } from '../../src/report/figures/figures.ts'
import type { JsonObject } from '../../src/util/json.ts'
import { usePage } from '../app/context.ts'
import { FigureViews } from '../parts/figure-view.tsx'
import { StoryPair } from '../story/story-pair.tsx'
import type { MoreStory } from '../story/story-view.tsx'
import { TaskView } from '../task/task-view.tsx'
import { TrajectoryPair } from '../trajectory/trajectory-pair.tsx'
import type { MoreTurns } from '../trajectory/use-turns.ts'
import { DifferenceTable, PairKey, pairNames } from './difference-table.tsx'
import { OutputView } from './output-view.tsx'
import { FoldedCalls } from './run-dialog.tsx'
import { type KnownRun, runById } from './run-index.ts'
import { numberOf, numbersOf } from './run-numbers.ts'
import { TraceView } from './trace-view.tsx'
import { useWholeRun } from './use-whole-run.ts'
import { type DifferenceRow, valueRows } from './value-rows.ts'
import { valueText } from './value-text.ts'

/** The differences of two runs: in their settings, results and events. */
export function RunPair({ a, b }: { readonly a: string; readonly b: string }) {
  const { dataset, loaded } = usePage()
  const [one, other] = [useWholeRun(runById(dataset, a)), useWholeRun(runById(dataset, b))]
  if (one === undefined || other === undefined) return <p>Not both of these runs are in this report.</p>
  const { moreTurns, moreStory } = loaded
  const moreOf = (known: KnownRun): MoreTurns | null => (moreTurns === null ? null : from => moreTurns(known, from))
  const moreStoryOf = (known: KnownRun): MoreStory | null =>
    moreStory === null ? null : from => moreStory(known, from)
  const hasStory = one.folder.story !== null || other.folder.story !== null
  const parted = divergesAt(one.folder.trace, other.folder.trace)
  return (
    <>
      <PairKey labels={[one.run.name, other.run.name]} />
      <DifferenceTable title="Parameters" rows={valueRows(given(one), given(other))} />
      <DifferenceTable title="Results" rows={resultRows(one, other)} />
      {!hasStory && <SeriesOfBoth one={one} other={other} />}
      {(one.folder.task !== null || other.folder.task !== null) && (
        <div class="two">
          {[one, other].map(({ id, folder }) => (
            <div key={id}>{folder.task !== null && <TaskView work={folder.task} />}</div>
          ))}
        </div>
      )}
      <TrajectoryPair
        key={`${one.folder.trajectory === null} ${other.folder.trajectory === null}`}
        a={{ found: one.folder.trajectory, more: moreOf(one) }}
        b={{ found: other.folder.trajectory, more: moreOf(other) }}
      />
      <StoryPair
        key={`story ${one.folder.story === null} ${other.folder.story === null}`}
        a={{ found: one.folder.story, more: moreStoryOf(one) }}
        b={{ found: other.folder.story, more: moreStoryOf(other) }}
      />
      {/* Where two stories part is what they were put side by side for; each turn has its metrics. */}
      {hasStory && <SeriesOfBoth one={one} other={other} />}
      <h3>Output</h3>
      <div class="two">
        <OutputView tails={one.folder.output} />
        <OutputView tails={other.folder.output} />
      </div>
      {one.folder.trace.length + other.folder.trace.length > 0 && (
        <FoldedCalls isFolded={hasStory} count={one.folder.trace.length + other.folder.trace.length}>
          <div class="two">
            <TraceView turns={one.folder.trace} {...(parted === null ? {} : { parted })} />
            <TraceView turns={other.folder.trace} {...(parted === null ? {} : { parted })} />
          </div>
        </FoldedCalls>
      )}
    </>
  )
}

const given = ({ run }: KnownRun): JsonObject => ({ ...run.params, ...run.block, replicate: run.replicate })

function resultRows(one: KnownRun, other: KnownRun): readonly DifferenceRow[] {
  const pick = (name: string, of: (known: KnownRun) => Cell, write: (value: number) => string): DifferenceRow => ({
    name,
    a: of(one),
    b: of(other),
    write,
  })
  return [
    pick('state', ({ run }) => run.state.replaceAll('_', ' '), String),
    ...numbersOf([one.run, other.run]).map(name => pick(name, ({ run }) => numberOf(run, name), valueText(name))),
  ].filter(({ a, b }) => a !== null || b !== null)
}

function SeriesOfBoth({ one, other }: { readonly one: KnownRun; readonly other: KnownRun }) {
  const { experiments } = usePage().dataset
  const figures = useMemo(() => {
    const runs = [one, other].map(({ run: { name, series } }, at) => ({ label: pairNames[at] ?? '', name, series }))
    const names = [...new Set(runs.flatMap(({ series }) => series.map(({ metric }) => metric)))]
    return names.flatMap(metric => figuresOf.pair({ metric, runs, experiments }))
  }, [one, other])
  return <FigureViews figures={figures} />
}

/** The first turn in which the texts of two runs differ; null: there is none. */
function divergesAt(a: readonly TraceTurn[], b: readonly TraceTurn[]): number | null {
  const said = ({ messages, answer, error }: TraceTurn): string => JSON.stringify([messages, answer, error])
  const length = Math.max(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [a[at], b[at]]
    if (one === undefined || other === undefined || said(one) !== said(other)) return at
  }
  return null
}
