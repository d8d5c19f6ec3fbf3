import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { experimentFrom } from '../../define/load-experiment.ts'
import type { RunRecord } from '../../define/observation.ts'
import { bindTarget } from '../../define/target.ts'
import { runExperiment } from '../../engine/run-experiment.ts'
import { openExecutor } from '../../execute/registry.ts'
import { Journal } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'
import { recordedRuns } from '../../record/read/observations.ts'
import { targetFor, targets } from '../../targets/registry.ts'
import { readTasks } from '../../targets/task/read-tasks.ts'
import { AssayError } from '../../util/errors.ts'
import { counted, plainOutput } from '../../util/words.ts'
import { surroundingsOf } from '../experiment/surroundings.ts'
import { watchEngine } from '../experiment/watching.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { styler } from '../views/style.ts'
import { tableLines } from '../views/table.ts'

/** The result of checking one task. */
interface CheckedTask {
  readonly task: string
  readonly oracle: Tally
  readonly nop: Tally
  /** Whether its environment can't be made here: nothing is wrong with the task itself. */
  readonly unsupported: boolean
  /** Empty: the task is fine. */
  readonly problems: readonly string[]
}

interface Tally {
  readonly passed: number
  readonly scored: number
  readonly runs: number
}

/**
 * `assay tasks check`: the task's own solution must pass, doing nothing must fail, and both the same way every time. It
 * is an experiment like any other, in a temporary folder. Exit code 1 if something is wrong with a task.
 */
export async function checkTasks(paths: readonly string[], options: Options, io: Io): Promise<number> {
  const { sound, broken } = readAll(paths.length === 0 ? ['.'] : paths, options, io)
  const folder = mkdtempSync(join(tmpdir(), 'assay-check-'))
  try {
    const { runs, exitCode } =
      sound.length === 0 ? { runs: [], exitCode: 0 } : await runBoth(sound, options, io, folder)
    const checked = [...tasksOf(runs).map(([task, own]) => checkedTask(task, own)), ...broken]
    const wrong = checked.filter(({ problems }) => problems.length > 0)
    if (options.json) writeJson(io.stdout, { kind: 'checked_tasks', tasks: checked, wrong: wrong.length })
    else writeLines(io.stdout, lines(checked, io))
    return exitCode === 130 ? exitCode : wrong.length > 0 ? 1 : 0
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** An unreadable task is as wrong as one with wrong tests, and does not keep others from being checked. */
function readAll(
  paths: readonly string[],
  { repos }: Options,
  io: Io,
): { readonly sound: readonly string[]; readonly broken: readonly CheckedTask[] } {
  const places = { repos: repos === undefined ? null : resolve(io.cwd, repos) }
  const all = paths.flatMap(path => [...readTasks(resolve(io.cwd, path), places)])
  const nameOf = ({ dir, format, id }: (typeof all)[number]): string =>
    `${relative(io.cwd, dir) || '.'}${format === 'swe-bench' ? `#${id}` : ''}`
  return {
    sound: [...new Set(all.filter(({ kind }) => kind === 'task').map(nameOf))],
    broken: all.flatMap(task =>
      task.kind === 'task'
        ? []
        : { task: nameOf(task), oracle: notRun, nop: notRun, unsupported: false, problems: task.problems },
    ),
  }
}

const notRun: Tally = { passed: 0, scored: 0, runs: 0 }

async function runBoth(paths: readonly string[], options: Options, io: Io, folder: string) {
  const { rollouts = 1, jobs, sandbox = 'auto', provided = [], repos } = options
  if (!Number.isInteger(rollouts)) throw new AssayError('usage', `--rollouts: expected a whole number, got ${rollouts}`)
  const experiment = experimentFrom(
    {
      name: 'check',
      out_root: folder,
      target: {
        ...{ kind: 'task', tasks: [...paths], sandbox, provided: [...provided] },
        ...(repos !== undefined && { repositories: repos }),
      },
      factors: { agent: ['oracle', 'nop'] },
      replicates: rollouts,
      ...(jobs !== undefined && { limits: { jobs } }),
    },
    { targets, cwd: io.cwd, folder: io.cwd },
  )
  const dir = join(folder, 'check')
  const setting = { ...bindTarget(targetFor(experiment), experiment), dir, isGiven: true }
  const watching = watchEngine(
    experiment,
    { ...options, json: undefined, quiet: options.json ?? options.quiet },
    { ...io, stdout: io.stderr },
  )
  const { order, seed } = experiment
  try {
    const { exitCode } = await runExperiment(
      {
        ...setting,
        executor: await openExecutor('local', setting, { slots: experiment.limits.jobs, cwd: io.cwd }),
        plan: { order, seed, selection: { filters: [], first: null, shard: null } },
        retryFailed: false,
        rerun: [],
        fresh: false,
        stale: null,
        failFast: false,
        explicitLimits: [],
        tags: [],
        note: null,
      },
      surroundingsOf(io, watching.listener),
    )
    return { exitCode, runs: runsIn(dir) }
  } finally {
    watching.end()
  }
}

function runsIn(dir: string): readonly RunRecord[] {
  const journal = Journal.openToRead(journalFile(dir))
  try {
    return [...recordedRuns(journal)]
  } finally {
    journal.close()
  }
}

function tasksOf(runs: readonly RunRecord[]): readonly (readonly [string, readonly RunRecord[]])[] {
  const tasks = new Map<string, RunRecord[]>()
  for (const run of runs) {
    const task = String(run.block.task)
    tasks.set(task, [...(tasks.get(task) ?? []), run])
  }
  return [...tasks].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function checkedTask(task: string, runs: readonly RunRecord[]): CheckedTask {
  const by = (agent: string) => runs.filter(({ params }) => params.agent === agent)
  const [oracle, nop] = [tally(by('oracle')), tally(by('nop'))]
  const unscored = [
    ...new Set(
      runs.flatMap(({ metrics, outcome }) =>
        metrics.passed === undefined ? (outcome?.message ?? 'it was not run') : [],
      ),
    ),
  ]
  return {
    task,
    oracle,
    nop,
    unsupported: runs.some(({ outcome }) => outcome?.unsupported_environment === true),
    problems: [
      ...unscored,
      ...(oracle.scored > 0 && oracle.passed === 0 ? ['its own solution does not pass its tests'] : []),
      ...(nop.scored > 0 && nop.passed === nop.scored ? ['doing nothing passes its tests'] : []),
      ...(isMixed(oracle) ? [`flaky: its own solution passes ${oracle.passed} of ${oracle.scored} times`] : []),
      ...(isMixed(nop) ? [`flaky: doing nothing passes ${nop.passed} of ${nop.scored} times`] : []),
    ],
  }
}

const isMixed = ({ passed, scored }: Tally): boolean => passed > 0 && passed < scored

function tally(runs: readonly RunRecord[]): Tally {
  const scored = runs.filter(({ metrics }) => metrics.passed !== undefined)
  return {
    runs: runs.length,
    scored: scored.length,
    passed: scored.filter(({ metrics }) => metrics.passed === 1).length,
  }
}

function lines(checked: readonly CheckedTask[], io: Io): readonly string[] {
  const share = ({ passed, scored }: Tally): string => (scored === 0 ? '–' : `${passed} of ${scored}`)
  const state = ({ unsupported, problems }: CheckedTask): string =>
    unsupported ? 'unsupported' : problems.length === 0 ? 'ok' : 'wrong'
  const rows = checked.map(one => [plainOutput(one.task), share(one.oracle), share(one.nop), state(one)])
  const complaints = checked.filter(({ problems }) => problems.length > 0)
  return [
    ...tableLines(['task', 'solution passes', 'nothing passes', ''], rows, {
      columns: tableWidth(io.stdout),
      head: styler(io.stdout).bold,
    }),
    '',
    ...complaints.flatMap(({ task, problems }) => [
      `✗ ${plainOutput(task)}`,
      ...problems.map(problem => `    ${plainOutput(problem)}`),
    ]),
    countLine(checked),
  ]
}

function countLine(checked: readonly CheckedTask[]): string {
  const unsupported = checked.filter(one => one.unsupported).length
  const wrong = checked.filter(one => !one.unsupported && one.problems.length > 0).length
  const parts = [
    ...(wrong > 0 ? [`${wrong} can't be trusted`] : []),
    ...(unsupported > 0 ? [`${unsupported} can't be run here`] : []),
  ]
  return `${counted(checked.length, 'task')}: ${parts.length === 0 ? 'all fine' : parts.join(', ')}`
}
