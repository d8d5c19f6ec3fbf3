import { agreementLines } from '../../analyze/agreement.ts'
import { type Dialect, dialectNamed } from '../../define/dialects/registry.ts'
import type { Experiment } from '../../define/experiment.ts'
import { branchOf, knownMetrics, type RunRecord } from '../../define/observation.ts'
import type { Summary } from '../../define/outcome.ts'
import type { WorkEnd } from '../../engine/call.ts'
import { readExperiment } from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { journalFile, stderrTail } from '../../record/places.ts'
import { hasMetrics } from '../../record/read/activity.ts'
import { recordedRuns } from '../../record/read/observations.ts'
import { standing } from '../../record/read/standing.ts'
import type { Json } from '../../util/json.ts'
import { shellQuote } from '../../util/words.ts'
import { explainedStop } from '../experiment/watching.ts'
import { type Io, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { retryCommand } from '../retry-command.ts'
import type { Failure } from '../views/failure-groups.ts'
import { resultTable } from '../views/result-table.ts'
import { styler } from '../views/style.ts'
import { summaryLines } from '../views/summary-view.ts'
import { placeOf, verdictAtEnd } from './verdict-at-end.ts'

/** More runs than this are for `collect` and reports, not for a table on a terminal. */
const mostTableRuns = 20_000

/** The output after `run`: the result table, the summary, what failed and how to retry it. */
export async function printOutcome(experiment: Experiment, end: WorkEnd, options: Options, io: Io): Promise<void> {
  const { summary, stoppedBy } = end
  const style = styler(io.stdout)
  const { explain } = dialectNamed(experiment.dialect)
  const journal = Journal.openAgain(journalFile(summary.dir))
  try {
    const isPlain = summary.completed === summary.planned && !hasMetrics(journal) && experiment.metrics.length === 0
    const isLarge = summary.planned > mostTableRuns
    const which = { scope: 'call', ...(isLarge && { notCompleted: true, metrics: false }) } as const
    const runs = isPlain ? [] : [...recordedRuns(journal, which)]
    if (!options.quiet) {
      const table = resultTable(
        runs.filter(({ state }) => !notEnded.includes(state)),
        {
          blocks: [...experiment.blocks.map(block => block.name), 'seed'],
          levels: levelsOf(experiment),
          metrics: [...experiment.metrics, ...ownMetrics(experiment, runs)],
          columns: io.stdout.columns,
          isRanked: experiment.search !== undefined,
          head: style.bold,
          best: style.green,
        },
      )
      if (table.length > 0) writeLines(io.stdout, ['', ...table, ''])
      if (isLarge && !isPlain) writeLines(io.stdout, ['', noTable(summary.planned), ''])
      const agreed = agreementLines(runs.filter(({ state }) => state === 'completed'))
      if (agreed.length > 0) writeLines(io.stdout, [...agreed, ''])
    }
    warnOfMissingMetrics(runs, io)
    const failures = runs
      .filter(isFailed)
      .map((run, at) => failureOf(summary.dir, explainedRun(run, explain), at < mostLastWords))
    const facts = {
      name: experiment.name,
      summary,
      whole: ofWholeExperiment(journal, summary.dir),
      stoppedBy: stoppedBy === null ? null : explainedStop(stoppedBy, explain),
      failures,
      cutBy: runs.flatMap(({ state, outcome }) =>
        state === 'cost_limited' ? [outcome?.limit ?? 'run_budget_usd'] : [],
      ),
      verdict: options.quiet ? [] : await verdictAtEnd(experiment, summary, options, io),
      logsCommand: (run: string) => `assay logs ${placeOf(summary.dir, io)} ${shellQuote(run)}`,
      retryCommand: retryCommand(io.argv, summary.quarantined > 0),
      passes: end.passes,
      passesByKind: passesByKind(runs),
    }
    writeLines(io.stdout, summaryLines(facts, style))
  } finally {
    journal.close()
  }
}

/** Branches share turns with another run, so a pass rate over both says little; null: there are not both. */
function passesByKind(runs: readonly RunRecord[]): string | null {
  const judged = runs.filter(
    ({ state, metrics }) => state === 'completed' && metrics[knownMetrics.passed] !== undefined,
  )
  const branches = judged.filter(run => branchOf(run) !== null)
  if (branches.length === 0 || branches.length === judged.length) return null
  const share = (some: readonly RunRecord[]) =>
    `${some.filter(({ metrics }) => (metrics[knownMetrics.passed] ?? 0) >= 1).length} of ${some.length}`
  const others = judged.filter(run => branchOf(run) === null)
  return `${share(others)} from the beginning, ${share(branches)} branches`
}

/** Scores with names that only appear during the run: those of a user's function, or of one case. */
function ownMetrics(experiment: Experiment, runs: readonly RunRecord[]): Experiment['metrics'] {
  if (!experiment.metrics.some(({ name }) => name === knownMetrics.passed)) return []
  const names = new Set<string>()
  for (const { metrics } of runs) for (const name in metrics) names.add(name)
  for (const { name } of experiment.metrics) names.delete(name)
  return [...names]
    .filter(name => !bookkeeping.test(name))
    .sort()
    .map(name => ({ name, goal: null, primary: false, source: { kind: 'reported' } }))
}

const bookkeeping = /^(?:(?:input|output)_tokens|(?:price|saved|judge)_usd|label|judge:.*)$/

/** null: the call covered all of it. */
function ofWholeExperiment(journal: Journal, dir: string): Summary | null {
  const row = readExperiment(journal)
  return row === undefined || row.planned === row.definitionPlanned ? null : standing(journal, dir)
}

const noTable = (planned: number): string =>
  `no table of ${planned} runs here: \`assay report\` ranks the variants, \`assay collect\` writes every run`

function levelsOf(experiment: Experiment): Record<string, readonly Json[]> {
  const factors = [...experiment.factors, ...experiment.zip.flat()]
  return {
    ...Object.fromEntries(factors.map(({ name, levels }) => [name, levels])),
    ablation: experiment.ablations.map(({ name }) => name),
  }
}

/** A variant with no other known state is in no table. */
const notEnded: readonly string[] = ['pending', 'running', 'stale', 'cancelled', 'rate_limited']

const isFailed = ({ state }: RunRecord): boolean =>
  ['failed', 'timed_out', 'infra_error', 'quarantined'].includes(state)

function explainedRun(run: RunRecord, explain: Dialect['explain']): RunRecord {
  const message = run.outcome === null ? null : (explain?.(run.outcome) ?? null)
  return run.outcome === null || message === null ? run : { ...run, outcome: { ...run.outcome, message } }
}

/** For at most so many failures the last output is read; the others are only distinguished by how they ended. */
const mostLastWords = 2000

function failureOf(dir: string, { name, outcome }: RunRecord, isShown: boolean): Failure {
  return {
    run: name,
    outcome: outcome ?? { kind: 'failed' },
    ...(isShown ? { stderrTail: stderrTail(dir, name) } : {}),
  }
}

function warnOfMissingMetrics(runs: readonly RunRecord[], io: Io): void {
  const affected = runs.filter(({ state, problems }) => state === 'completed' && Object.keys(problems).length > 0)
  const [first] = affected
  if (first === undefined) return
  const [metric = '', problem = ''] = Object.entries(first.problems)[0] ?? []
  const count = affected.length === 1 ? '1 completed run lacks' : `${affected.length} completed runs lack`
  io.stderr.write(`warning: ${count} a metric, e.g. ${metric} of ${first.name}: ${problem}\n`)
}
