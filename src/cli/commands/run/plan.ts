import { dialectNamed } from '../../../define/dialects/registry.ts'
import type { Run } from '../../../define/run.ts'
import type { Description } from '../../../define/target.ts'
import { type Foresight, type NextAction, rateNotes, searchStanding, withForesight } from '../../../engine/foresight.ts'
import { foreseeExecution } from '../../../execute/registry.ts'
import { plannerFor, planRuns, planSize } from '../../../plan/plan.ts'
import { plannedRuns } from '../../../plan/planner.ts'
import { asExperimentDirectory, runFolder } from '../../../record/places.ts'
import { counted, shellQuote } from '../../../util/words.ts'
import { type Chosen, chooseExperiment } from '../../experiment/choose-experiment.ts'
import { executorNamed, executorOptions } from '../../experiment/executor-options.ts'
import { intentOf, withLimitsNow } from '../../experiment/limits-now.ts'
import { costLines, planCosts } from '../../experiment/plan-costs.ts'
import { type Refusals, runRefusals } from '../../experiment/run-refusals.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { Page } from '../../page.ts'

/** On a terminal a long plan is shortened; a pipe or file gets all of it. */
const shownOnTerminal = 20

/** Walking more runs than this would take minutes: then only the first are examined. */
const mostForeseen = 20_000_000
const sample = 10_000

export async function planCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  io.keepMemory?.()
  const chosen = withLimitsNow(chooseExperiment(args, options, io, 'plan'), options)
  noteSlowPlan(chosen, io)
  const { isMistaken } = await withForesight(intentOf(chosen, options), io.cwd, foresight =>
    options.json ? writePlanJson(chosen, foresight, options, io) : writePlan(chosen, foresight, options, io),
  )
  return isMistaken ? 2 : 0
}

/** Which runs a filter or a shard keeps is only known after walking all of them. */
function noteSlowPlan({ experiment, plan }: Chosen, io: Io): void {
  const { filters, shard } = plan.selection
  if ((filters.length === 0 && shard === null) || experiment.search !== undefined) return
  const { runs } = planSize(experiment, plan)
  if (runs <= mostForeseen) return
  const option = filters.length > 0 ? '--filter' : '--shard'
  io.stderr.write(
    `note: ${option} looks at each of ${runs} runs, which takes long. Fewer levels, such as with --set factors.<name>='[…]', plan at once\n`,
  )
}

/** As one document, written run by run: a million runs need no memory. */
async function writePlanJson(chosen: Chosen, foresight: Foresight, options: Options, io: Io): Promise<Refusals> {
  const { experiment, dir, plan } = chosen
  const planner = plannerFor(experiment, plan)
  const describe = describer(chosen)
  const planned = planner.count()
  const variants = variantCount(chosen, planned)
  const depends = planned !== null && planner.certain() < planned ? { foreseen: planner.certain() } : {}
  const countRuns = () => (planner.certain() > mostForeseen ? planner.certain() : countToRun(chosen, foresight))
  const costs = await planCosts(chosen, foresight, countRuns)
  const execution = await executionOf(chosen, options, io, countRuns)
  const refusals = await runRefusals(chosen, runsToCheck(chosen, foresight), options, io)
  const head = JSON.stringify({
    name: experiment.name,
    dir,
    planned,
    variants,
    ...depends,
    ...notesIn(chosen, refusals.lines),
    ...costs,
    ...(execution.length > 0 && { execution }),
  })
  const page = new Page(io, 'json')
  page.add(`${head.slice(0, -1)},"runs":[`)
  let separator = '\n'
  for (const run of plannedRuns(planner)) {
    const { params, ablation, seed, block, replicate } = run
    const { action, why, name: id } = foresight(run)
    const { command, cwd } = describe(id === run.name ? run : { ...run, name: id })
    const entry = { id, params, ablation, seed, block, replicate, command, cwd, action, why }
    page.add(separator + JSON.stringify(entry))
    if (page.isFull && !(await page.turn())) return refusals
    separator = ',\n'
  }
  page.add('\n]}\n')
  await page.turn()
  return refusals
}

/** What happens to the runs on other machines. */
async function executionOf(chosen: Chosen, options: Options, io: Io, runs: () => number): Promise<readonly string[]> {
  const execution = executorOptions(chosen.experiment, options, io)
  const name = executorNamed(options, io)
  const isPlain = name === undefined && chosen.experiment.needs === undefined
  return isPlain ? [] : foreseeExecution(name, chosen, execution, runs())
}

function countToRun({ experiment, plan }: Chosen, foresight: Foresight): number {
  let count = 0
  for (const run of planRuns(experiment, plan)) if (foresight(run).action === 'run') count++
  return count
}

function notesIn(chosen: Chosen, refusals: readonly string[]): { readonly notes?: readonly string[] } {
  const notes = [...notesOf(chosen), ...refusals]
  return notes.length === 0 ? {} : { notes }
}

async function writePlan(chosen: Chosen, foresight: Foresight, options: Options, io: Io): Promise<Refusals> {
  const { experiment, dir, plan } = chosen
  const most = options.show ?? (options.all || !io.stdout.isTTY ? Number.POSITIVE_INFINITY : shownOnTerminal)
  const counts = { run: 0, reuse: 0, leave: 0, refuse: 0 }
  const reasons = new Map<string, number>()
  const planner = plannerFor(experiment, plan)
  const isSearch = isSearching(chosen)
  const isVast = !isSearch && planner.certain() > mostForeseen
  let foreseen = 0
  for (const run of plannedRuns(planner)) {
    foreseen++
    count(foresight(run), counts, reasons)
    if (isVast && foreseen === sample) break
  }
  const planned = isSearch || isVast ? planner.count() : foreseen
  // What comes next is known as far as the first proposals go.
  const known = counts.run
  const made = isSearch ? madeBefore(chosen, foresight, counts, reasons) : null
  const left =
    made !== null && (made.isDone || planned === null) ? 0 : Math.max(0, (planned ?? 0) - (made?.runs ?? foreseen))
  // If nothing has been run, that is all; otherwise only walking the plan would tell.
  const isUnknown = isVast && asExperimentDirectory(dir) !== undefined
  const toRun = isUnknown || (planned === null && made?.isDone !== true) ? '?' : counts.run + left
  const skipped = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.run
  const costs = await planCosts(chosen, foresight, () => known)
  const refusals = await runRefusals(chosen, runsToCheck(chosen, foresight), options, io)
  writeLines(io.stdout, [
    `experiment: ${dir}`,
    `planned_runs=${planned ?? '?'} to_run=${toRun} skipped=${skipped} jobs=${experiment.limits.jobs}`,
    ...shapeLines(chosen, planned),
    ...(isSearch || experiment.search?.target != null ? searchLines(chosen, planned, foreseen, made) : []),
    ...stateLines(counts, reasons),
    ...(isVast ? [`only its first ${sample} runs were examined: --filter or --first selects a part of it`] : []),
    ...notesOf(chosen),
    ...refusals.lines,
    ...(costs === null ? [] : costLines(costs, chosen, io)),
    ...(await executionOf(chosen, options, io, () => (typeof toRun === 'number' ? toRun : known))),
  ])
  const isOver = made !== null && toRun === 0
  const shown = isOver ? 0 : Math.min(most, known)
  await writeRuns(chosen, foresight, shown, io)
  if (isVast) io.stdout.write(`and ${(planned ?? 0) - shown} more\n`)
  else if (!isOver && shown < known) io.stdout.write(`and ${known - shown} more: --all shows every run\n`)
  return refusals
}

function count(
  { action, why }: NextAction,
  counts: Record<NextAction['action'], number>,
  reasons: Map<string, number>,
): void {
  counts[action]++
  if (action !== 'run' && action !== 'reuse') reasons.set(why, (reasons.get(why) ?? 0) + 1)
}

function notesOf({ target, spec, bound, experiment, plan }: Chosen): readonly string[] {
  const isEndless = plannerFor(experiment, plan).count() === null
  const notes = new Set([
    ...(experiment.notes ?? []),
    ...(dialectNamed(experiment.dialect).notes?.(experiment, { isEndless }) ?? []),
    ...(target.notes?.(spec, experiment) ?? []),
    ...rateNotes(experiment.limits, experiment, bound()),
  ])
  return [...notes]
}

/** For a vast plan only its first runs are examined. */
function* runsToCheck({ experiment, plan }: Chosen, foresight: Foresight): Generator<Run> {
  const isVast = !isSearching({ experiment }) && planSize(experiment, plan).runs > mostForeseen
  let seen = 0
  for (const run of planRuns(experiment, plan)) {
    if (foresight(run).action === 'run') yield run
    if (isVast && ++seen === sample) return
  }
}

/** The plan is walked again, not stored: the counts come first on the page, and it may have a million runs. */
async function writeRuns(chosen: Chosen, foresight: Foresight, wanted: number, io: Io): Promise<void> {
  const describe = describer(chosen)
  const page = new Page(io)
  let left = wanted
  for (const run of left === 0 ? [] : planRuns(chosen.experiment, chosen.plan)) {
    const next = foresight(run)
    if (next.action !== 'run') continue
    const named = { ...run, name: next.name }
    page.add(runLines(chosen, named, describe(named), next))
    if (page.isFull && !(await page.turn())) return
    left--
    if (left === 0) break
  }
  await page.turn()
}

function shapeLines(chosen: Chosen, planned: number | null): string[] {
  const { experiment, plan } = chosen
  const variants = variantCount(chosen, planned)
  if (experiment.cells !== undefined) return [cellsLine(chosen, planned)]
  const parts = [
    `${variants ?? 'any number of'} ${variants === 1 ? 'variant' : 'variants'}`,
    ...experiment.blocks.map(({ name, levels }) => counted(levels.length, name)),
    ...(experiment.replicates > 1 ? [`${experiment.replicates} replicates`] : []),
  ]
  const all = (variants ?? 0) * runsPerVariant(chosen)
  const selected = planned !== null && planned < all ? `; ${planned} of ${all} runs selected` : ''
  const how = isSearching(chosen) ? `chosen by ${experiment.search?.method}` : `${plan.order} order`
  return [`${parts.join(' × ')}, ${how}${selected}`]
}

/** For plans that run only some combinations, or some more often than others. */
function cellsLine({ experiment, plan }: Chosen, planned: number | null): string {
  const { runs, variants, cells } = planSize(experiment, plan)
  const shape = `${cells} ${cells === 1 ? 'cell' : 'cells'} of ${variants} ${variants === 1 ? 'variant' : 'variants'}`
  const selected = planned !== null && planned < runs ? `; ${planned} of ${runs} runs selected` : ''
  return `${shape}, ${runs} runs, ${plan.order} order${selected}`
}

const isSearching = ({ experiment }: Pick<Chosen, 'experiment'>): boolean =>
  experiment.search !== undefined && experiment.search.method !== 'grid'

const runsPerVariant = ({ experiment }: Chosen): number =>
  experiment.blocks.reduce((product, block) => product * block.levels.length, experiment.replicates)

function variantCount(chosen: Chosen, planned: number | null): number | null {
  const { experiment, plan } = chosen
  if (!isSearching(chosen)) return planSize(experiment, plan).variants
  return planned === null ? null : Math.ceil(planned / runsPerVariant(chosen))
}

/**
 * A search continues from the runs that it has made, not from its first proposals: so those are counted instead. null:
 * it has made none.
 */
function madeBefore(
  { experiment, plan, dir }: Chosen,
  foresight: Foresight,
  counts: Record<NextAction['action'], number>,
  reasons: Map<string, number>,
): Made | null {
  if (asExperimentDirectory(dir) === undefined) return null
  const { runs, isDone } = withJournal(dir, journal => searchStanding(journal, experiment, plan))
  if (runs.length === 0) return null
  for (const action of ['run', 'reuse', 'leave', 'refuse'] as const) counts[action] = 0
  reasons.clear()
  for (const run of runs) count(foresight(run), counts, reasons)
  return { runs: runs.length, isDone }
}

interface Made {
  readonly runs: number
  /** Nothing more will be proposed. */
  readonly isDone: boolean
}

/** What a search will do, and how much of it is known now. */
function searchLines({ experiment }: Chosen, planned: number | null, foreseen: number, made: Made | null): string[] {
  const { search } = experiment
  const aim = search?.metric == null || search.goal === null ? '' : `, to ${search.goal} ${search.metric}`
  const rest =
    made !== null && (made.isDone || (planned !== null && made.runs >= planned))
      ? `it has made its ${made.runs} runs`
      : made !== null && planned !== null
        ? `it has made ${made.runs} runs; the other ${planned - made.runs} depend on results`
        : search?.target != null
          ? `until a ${search.counts === 'variants' ? 'variant' : 'run'} reaches ${search.target}${mostRuns(planned ?? search.max_runs, search.counts)}`
          : planned === null
            ? 'until it is stopped'
            : foreseen < planned
              ? `the first ${foreseen} runs are known; the other ${planned - foreseen} depend on results`
              : 'all runs are known and do not depend on results'
  return [`search: ${search?.method}${aim}; ${rest}`]
}

const mostRuns = (most: number | null, counts = 'runs'): string => (most === null ? '' : `, at most ${most} ${counts}`)

function stateLines(counts: Record<NextAction['action'], number>, reasons: ReadonlyMap<string, number>): string[] {
  return [
    ...(counts.reuse > 0
      ? [counts.reuse === 1 ? '1 completed run is reused' : `${counts.reuse} completed runs are reused`]
      : []),
    ...[...reasons].map(([why, count]) =>
      count === 1 ? `1 run is not run: ${why}` : `${count} runs are not run, each because ${why}`,
    ),
    ...(counts.refuse > 0 ? ['`run` will stop and ask for --stale rerun or --stale keep'] : []),
  ]
}

/** Three lines per run, as in the dry run of Cascade's sweep runner. */
function runLines(chosen: Chosen, run: Run, { command }: Description, next: NextAction): string {
  const again = next.why === 'it has not been run yet' ? '' : `  (${next.why})`
  return [
    `- ${run.name}${again}`,
    `  run_dir=${runFolder(chosen.dir, run.name)}`,
    `  cmd=${command.map(shellQuote).join(' ')}`,
    '',
  ].join('\n')
}

/** The exact command of any run. */
type Describe = (run: Run) => Description

function describer({ experiment, target, spec, dir }: Chosen): Describe {
  return run => {
    const runDir = `${dir}/runs/${run.name}`
    return target.describe(spec, run, { run_dir: runDir, out_dir: `${runDir}/out` }, experiment)
  }
}
