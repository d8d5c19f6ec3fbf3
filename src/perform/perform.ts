import type { Experiment } from '../define/experiment.ts'
import { type Outcome, stopReasonOf } from '../define/outcome.ts'
import { LimitReached, type Permits, roundingUsd } from '../define/permits.ts'
import { type AttemptResult, budgetLeft, type Job, type ResourceUsage, unmeasured } from '../define/run.ts'
import type { BoundTarget, Description, ModelIds, Point, RunContext } from '../define/target.ts'
import { lastWordsIn, runPlace } from '../record/places.ts'
import { messageOf, systemCode } from '../util/errors.ts'
import { withoutAddressSecrets } from '../util/secrets.ts'
import { exactDollars } from '../util/words.ts'
import { CallMeter } from './calls/call-meter.ts'
import { runPermits } from './calls/run-permits.ts'
import { knownCost } from './known-cost.ts'
import { writeMeta } from './meta-file.ts'
import type { OwnSources } from './metric-reader.ts'
import { checkOutputs, outputsIn } from './outputs.ts'
import { readMetrics } from './read-metrics.ts'
import { Listener } from './reporting/listener.ts'
import type { Reported } from './reporting/reported.ts'
import { RunDirectory } from './run-directory.ts'
import { stopSignal } from './stop-signal.ts'

export { importResult } from './import-result.ts'

/** Shared by all jobs of an experiment. */
export interface Setting extends BoundTarget {
  /** The experiment's directory, absolute. */
  readonly dir: string
}

export interface PerformIo {
  /** Aborted with a StopReason. */
  readonly signal: AbortSignal
  /** Leave to call models, beyond the run's own limits: those are kept here. */
  readonly permits: Permits
  readonly modelIds: ModelIds
  readonly beyondBound?: ModelIds | undefined
  /** The GPUs that are the run's own, as CUDA names them. */
  readonly gpus?: readonly string[] | undefined
  onPoint(point: Point): void
  /** Something that people should know now. */
  onNote(message: string): void
  onStarted(process: { readonly pid: number; readonly startTime: string | null }): void
}

/** One job in, one result out. Never throws: every error becomes an outcome. */
export async function perform(job: Job, setting: Setting, io: PerformIo): Promise<AttemptResult> {
  const startedMs = performance.now()
  const directory = new RunDirectory(setting.dir, job)
  const stop = stopSignal(io.signal, job.timeout_ms)
  const listener = new Listener(job, directory, stop, io.onPoint)
  const meter = new CallMeter(
    runPermits(job, io.permits),
    point => listener.hear(point),
    reason => listener.reported.isMoreThan('cost_usd', reason),
  )
  let usage: ResourceUsage = unmeasured
  const outcome = await execute(job, setting, directory, {
    experiment: setting.experiment,
    place: directory.place,
    makeDirectory: () => directory.make(),
    directoryIsMade: () => directory.isMadeElsewhere(),
    signal: stop.signal,
    token: job.token,
    attempt: job.attempt,
    mode: job.mode,
    continues: null,
    runBudgetUsd: budgetLeft(job),
    permits: meter,
    modelIds: io.modelIds,
    beyondBound: io.beyondBound,
    gpus: io.gpus,
    graceMs: job.grace_ms,
    report: point => listener.hear(point),
    lacks: (metric, reason) => listener.reported.lacks(metric, reason),
    note: io.onNote,
    started: io.onStarted,
    measured(measured) {
      usage = measured
    },
  })
  const wallMs = performance.now() - startedMs
  stop.release()
  meter.close(setting.bound(job.run))
  await listener.finish(directory.isMade)
  const runDir = directory.isMade ? directory.place.run_dir : null
  const found = await readMetrics(setting.experiment.metrics, listener.reported, runDir, ownSources(setting.experiment))
  warnOfBadLine(job, setting, listener.reported.problem, found.metrics, io)
  warnOfThinning(job, setting, listener.reported, io)
  return keep(job, directory, {
    token: job.token,
    mode: job.mode,
    outcome: withLastWords(checkOutputs(outcome, setting.experiment.outputs, directory.place.run_dir), runDir),
    wall_s: Math.round(wallMs * 1000) / 1e6,
    ...usage,
    ...found,
    ...knownCost(listener.reported, found.metrics),
    ...(meter.hasAssumed && { cost_assumed: true }),
    ...meter.used,
    outputs: outputsIn(setting.experiment.outputs, directory.place.run_dir),
    ...describe(job, setting, directory),
    place: directory.isMade ? runPlace(job.run.name) : null,
  })
}

/** Stored with the outcome, so that failures can be distinguished without the run's files, and on other machines. */
function withLastWords(outcome: Outcome, runDir: string | null): Outcome {
  if (runDir === null || outcome.error_class !== `exit_${outcome.exit_code}`) return outcome
  const said = lastWordsIn(runDir)
  return said === '' ? outcome : { ...outcome, said }
}

/** Tells of an unreadable line, once, unless a metric already gives it as its problem. */
function warnOfBadLine(
  { run }: Job,
  setting: Setting,
  problem: string | null,
  metrics: AttemptResult['metrics'],
  io: PerformIo,
): void {
  if (problem === null || warnedOfBadLine.has(setting)) return
  if (metrics.some(reading => 'problem' in reading && reading.problem.includes(problem))) return
  warnedOfBadLine.add(setting)
  io.onNote(`${problem} (in ${run.name})`)
}

const warnedOfBadLine = new WeakSet<Setting>()

/** Once: other runs will be like it. */
function warnOfThinning({ run }: Job, setting: Setting, { thinned }: Reported, io: PerformIo): void {
  const [first] = thinned
  if (first === undefined || warnedOfThinning.has(setting)) return
  warnedOfThinning.add(setting)
  const { metric, points, every } = first
  const others = thinned.length === 1 ? '' : `, and ${thinned.length - 1} other metrics are like it`
  io.onNote(
    `${run.name} reported ${points} values of ${metric}: its series keeps one of every ${every}${others}; lowest, highest and last are exact`,
  )
}

const warnedOfThinning = new WeakSet<Setting>()

const ownSources = ({ metric_sources, folder }: Experiment): OwnSources => ({ metric_sources, folder })

async function execute(job: Job, setting: Setting, directory: RunDirectory, context: RunContext): Promise<Outcome> {
  try {
    const stopped = stopReasonOf(context.signal)
    if (stopped !== null) return stopped
    const refused = usedUp(job, setting)
    if (refused !== null) {
      context.report({ metric: 'cost_usd', value: 0, step: null })
      return refused
    }
    // A first attempt finds out when it makes its directory, if it does; a later one may not make any.
    if (job.attempt > 1) directory.keepEarlierAttempt()
    const continues = job.continues && { ...job.continues, dir: directory.keptAttempt(job.continues.attempt) }
    return await setting.target.execute(setting.spec, job.run, continues === null ? context : { ...context, continues })
  } catch (error) {
    return stopReasonOf(context.signal) ?? infraErrorOf(error, 'the run')
  }
}

/** A run whose attempts have spent its cap is not begun again. Calls of models are refused one by one: some are free. */
function usedUp(job: Job, { bound }: Setting): Outcome | null {
  const { run_budget_usd: cap, spent, mode } = job
  if (cap === null || cap === 0 || bound(job.run) === 'per_call' || mode === 'score') return null
  if (spent.usd < cap - roundingUsd) return null
  const message = `its earlier attempts have used up the run's budget of ${exactDollars(cap)}; a higher run_budget_usd runs it again`
  return { kind: 'cost_limited', message, limit: 'run_budget_usd', limit_at: cap }
}

function describe({ run }: Job, { target, spec, experiment }: Setting, { place }: RunDirectory): Description {
  try {
    const { command, cwd } = target.describe(spec, run, place, experiment)
    // Kept for people to read, so without passwords in addresses.
    return { command: command.map(withoutAddressSecrets), cwd }
  } catch {
    return { command: [], cwd: experiment.folder }
  }
}

/** A run without a directory leaves no files. */
function keep(job: Job, directory: RunDirectory, result: AttemptResult): AttemptResult {
  if (!directory.isMade) return result
  try {
    writeMeta(directory.place.run_dir, job, result)
    return result
  } catch (error) {
    return { ...result, outcome: infraErrorOf(error, `writing the result of ${job.run.name}`) }
  }
}

/** Not the run's fault: the disk or the machine. A retry may help, and no score may result from it. */
const infraErrors: { readonly [code: string]: string } = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an input/output error',
  EROFS: 'the file system is read-only',
  ENOMEM: 'the machine is out of memory',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open on this machine',
  EAGAIN: 'the machine is short of a resource, such as processes',
  ENOTCONN: 'the file system is not connected',
  ESTALE: 'the network file system has lost the file',
}

/** An error around a run, rather than of the run, as an outcome: performing a job never throws. */
export function infraErrorOf(error: unknown, doing: string): Outcome {
  if (error instanceof LimitReached) return outcomeOfLimit(error)
  const code = systemCode(error)
  const known = code === undefined ? undefined : infraErrors[code]
  return {
    kind: 'infra_error',
    error_class: code ?? (error instanceof Error ? error.name : 'Error'),
    message: `${doing} failed: ${known === undefined ? messageOf(error) : `${known} (${messageOf(error)})`}`,
  }
}

/** A run ended by a limit is kept, but is not a result. */
function outcomeOfLimit({ limit, at, message }: LimitReached): Outcome {
  if (limit === 'rate') return { kind: 'rate_limited', message }
  return { kind: 'cost_limited', message, limit, limit_at: at }
}

/** The folder of a run's attempt, new and empty, for results that come from elsewhere. */
export const newRunFolder = (dir: string, job: Job): string => new RunDirectory(dir, job).make().run_dir
