import { existsSync } from 'node:fs'
import type { Attempt } from '../../../define/observation.ts'
import { isFailure } from '../../../define/outcome.ts'
import type { Run } from '../../../define/run.ts'
import { withForesight } from '../../../engine/foresight.ts'
import { planRuns } from '../../../plan/plan.ts'
import type { Journal } from '../../../record/journal/journal.ts'
import { keptAttemptFolder, lastLine, outputFile, runFolder } from '../../../record/places.ts'
import { callCosts } from '../../../record/read/activity.ts'
import { findRun, plannedRun, runNamed } from '../../../record/read/observations.ts'
import { lastingNames } from '../../../record/runs/offer.ts'
import { largestOf } from '../../../util/collections.ts'
import { AssayError } from '../../../util/errors.ts'
import { dollars } from '../../../util/words.ts'
import { changedFile } from '../../experiment/changed-file.ts'
import { type Chosen, chooseExperiment } from '../../experiment/choose-experiment.ts'
import { experimentArgument } from '../../experiment/experiment-dir-argument.ts'
import { intentOf } from '../../experiment/limits-now.ts'
import { namedRun } from '../../experiment/named-run.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { callCostLines } from '../../views/call-cost-lines.ts'
import { shortDuration } from '../../views/number.ts'
import { outcomeReason } from '../../views/outcome-text.ts'

export async function whyCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { given, wanted } = namedRun(args, io, 'why')
  const { dir, defined } = experimentArgument(given === undefined ? [] : [given], options, io)
  const chosen = { ...(defined ?? chooseExperiment([dir], options, io)), dir }
  const { run, attempts, labels, costs } = withJournal(dir, journal => known(journal, dir, wanted, chosen))
  const next = await withForesight(intentOf(chosen, options), io.cwd, foresight => foresight(run))
  const changed = defined === null ? changedFile(dir, io) : null
  if (options.json)
    writeJson(io.stdout, {
      kind: 'why',
      ...run,
      ...next,
      ...(changed !== null && { changed_file: changed }),
      attempts: attempts.map(attemptJson),
      ...(costs.length > 0 && { costs }),
      ...labels,
    })
  else
    writeLines(io.stdout, [
      run.name,
      `  the next \`assay run${changed === null ? '' : ` ${given}`}\` ${verbs[next.action]}: ${next.why}`,
      ...(changed === null
        ? []
        : [`  ${changed} has changed since: \`assay why ${changed} ${wanted}\` shows what that means for it`]),
      ...attempts.map(attempt => attemptLine(attempt, next.action === 'leave' ? 'running' : 'cut off')),
      ...callCostLines(costs),
      ...(labels.tags.length > 0 ? [`  tags: ${labels.tags.join(', ')}`] : []),
      ...labels.notes.map(note => `  note: ${note}`),
    ])
  return 0
}

/** The known facts about a run; for a planned run that was never executed, only the plan's. */
function known(journal: Journal, dir: string, wanted: string, chosen: Chosen) {
  try {
    const { name } = findRun(journal, wanted)
    const { attempts, tags, notes } = runNamed(journal, name)
    const withOutput = withLastWords(attempts, runFolder(dir, name))
    return {
      run: plannedRun(journal, name),
      attempts: withOutput,
      labels: { tags, notes },
      costs: callCosts(journal, name),
    }
  } catch (error) {
    const run = isNotFound(error) ? planned(chosen, wanted, journal) : undefined
    if (run === undefined) throw error
    return { run, attempts: [], labels: { tags: [], notes: [] }, costs: [] }
  }
}

const isNotFound = (error: unknown): boolean => error instanceof AssayError && error.code === 'not_found'

function planned({ experiment, plan }: Chosen, wanted: string, journal: Journal): Run | undefined {
  const lasting = lastingNames(journal, experiment)
  for (const proposed of planRuns(experiment, plan)) {
    const run = lasting(proposed)
    if (run.name === wanted || run.name.startsWith(`${wanted}__`) || run.name.endsWith(`__${wanted}`)) return run
  }
  return undefined
}

const verbs = {
  run: 'runs it',
  reuse: 'reuses it',
  leave: 'leaves it as it is',
  refuse: 'stops and asks what to do with it',
}

interface ToldAttempt extends Attempt {
  /** The last output of the program, if it failed. */
  readonly stderr_tail: string
}

/** The files of the last attempt are in the run's folder, those of earlier ones below it. */
function withLastWords(attempts: readonly Attempt[], runDir: string): readonly ToldAttempt[] {
  const last = largestOf(attempts.map(({ number }) => number))
  return attempts.map(attempt => {
    const { outcome, number } = attempt
    const folders = [keptAttemptFolder(runDir, number), ...(number === last ? [runDir] : [])]
    const folder = outcome !== null && isFailure(outcome) ? folders.find(one => existsSync(one)) : undefined
    return { ...attempt, stderr_tail: folder === undefined ? '' : lastLine(outputFile(folder, 'stderr')) }
  })
}

/** As `--json` prints it: the outcome's kind, with its facts next to it. */
function attemptJson({ number, outcome, ...attempt }: ToldAttempt) {
  const { kind = null, ...facts } = outcome ?? {}
  return { number, outcome: kind, facts, ...attempt }
}

/** `unfinished`: the word for an attempt without an end, whose process may be gone. */
function attemptLine(attempt: ToldAttempt, unfinished: string): string {
  const when = new Date(attempt.started_at).toISOString().slice(0, 19).replace('T', ' ')
  const took = attempt.wall_s === null ? '' : `, ${shortDuration(attempt.wall_s * 1000)}`
  const cost =
    attempt.cost_usd === null ? '' : `, ${dollars(attempt.cost_usd)}${attempt.cost_assumed ? ' (assumed)' : ''}`
  const how = attempt.outcome === null ? unfinished : outcomeReason(attempt.outcome, attempt.stderr_tail)
  const late = attempt.superseded ? ', superseded' : ''
  return `  attempt ${attempt.number}, ${when} UTC on ${attempt.worker}${took}${cost}: ${how}${late}`
}
