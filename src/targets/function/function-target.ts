import type { Experiment } from '../../define/experiment.ts'
import { type Outcome, onStop, stopReasonOf } from '../../define/outcome.ts'
import { placesText } from '../../define/read-files.ts'
import type { Run } from '../../define/run.ts'
import type { Problem, RunContext, Target } from '../../define/target.ts'
import { endGroup, unkillable } from '../../process/end.ts'
import { canonicalJson } from '../../util/json.ts'
import { rehearsalIdentity, rehearsalNotes } from '../rehearsal.ts'
import { findModule } from './find-module.ts'
import type { Call } from './messages.ts'
import { boundOfModels, completeModels, readyFunction } from './models/calls-models.ts'
import { outcomeOfThrown } from './models/outcome-of-thrown.ts'
import { withoutOwnCost } from './models/own-cost.ts'
import { ThreadCalls } from './models/thread-calls.ts'
import { type FunctionSpec, functionSpec } from './spec.ts'
import type { CallEnd } from './thread-handle.ts'
import { ThreadPool } from './thread-pool.ts'

const pool = new ThreadPool()

/** A run is a call of a JavaScript or TypeScript function `(params, context) => metrics` in a worker thread. */
export const functionTarget: Target<FunctionSpec> = {
  kind: 'function',
  schema: functionSpec,
  complete: completeModels,
  check,
  ready: readyFunction,
  identity: (spec, experiment) => ({ module: spec.module, export: exportOf(spec), ...rehearsalIdentity(experiment) }),
  describe: (spec, run, _, experiment) => ({
    command: [`${spec.module}#${exportOf(spec)}`, canonicalJson(run.params)],
    cwd: experiment.folder,
  }),
  bound: boundOfModels,
  boundHint: 'or "models: true" to target, if it spends only on models that it calls through assay',
  notes: rehearsalNotes,
  programFiles: (spec, experiment) => [findModule(spec.module, experiment.folder).path],
  execute,
  close: closeThreads,
}

export async function closeThreads(): Promise<void> {
  await pool.close()
}

const exportOf = (spec: FunctionSpec): string => spec.export ?? 'default'

function check(spec: FunctionSpec, experiment: Experiment): readonly Problem[] {
  if (findModule(spec.module, experiment.folder).exists) return []
  return [
    {
      path: ['target', 'module'],
      message: `module "${spec.module}" was not found in ${placesText({ folder: experiment.folder, cwd: process.cwd() })}`,
      hint: 'it is the path of a .ts, .js or .mjs file, relative to the configuration file',
    },
  ]
}

async function execute(spec: FunctionSpec, run: Run, context: RunContext): Promise<Outcome> {
  const module = modulePath(spec, context.experiment)
  const what = { module, export: exportOf(spec), params: run.params }
  return withoutOwnCost(spec, context, watched => callInThread(what, run, watched))
}

/** Resolved once: an imported module does not change, and resolving it takes a tenth of a short run. */
function modulePath(spec: FunctionSpec, { folder }: Experiment): string {
  const known = found.get(spec)
  if (known?.folder === folder) return known.path
  const { path, exists } = findModule(spec.module, folder)
  if (exists) found.set(spec, { folder, path })
  return path
}

const found = new WeakMap<FunctionSpec, { readonly folder: string; readonly path: string }>()

/** Calls an export of a module, given by its absolute path, in a separate thread. */
export async function callInThread(
  what: Pick<Call, 'module' | 'export' | 'params'>,
  run: Run,
  context: RunContext,
): Promise<Outcome> {
  const thread = pool.take()
  const { name: runId, block, replicate, seed } = run
  const { place, token } = context
  const call = { ...what, runId, block, replicate, seed, place, token }
  let directoryError: unknown = null
  let calls: ThreadCalls | null = null
  const own = new Map<string, number>()
  const ending = thread.call(call, {
    report(point) {
      own.set(point.metric, (own.get(point.metric) ?? 0) + point.value)
      context.report(point)
    },
    note: context.note,
    makeDirectory() {
      try {
        context.makeDirectory()
        return true
      } catch (error) {
        directoryError = error
        return false
      }
    },
    onModel(ask, tell) {
      calls ??= new ThreadCalls(run, context)
      void calls.hear(ask, tell)
    },
  })
  let patience: NodeJS.Timeout | undefined
  const forget = onStop(context.signal, () => {
    thread.stop(stopReasonOf(context.signal)?.message ?? 'stopped')
    // A function that ignores its signal, or never returns, ends with its thread.
    patience = setTimeout(() => void thread.terminate(), context.graceMs)
  })
  const end = await ending
  forget()
  clearTimeout(patience)
  const made = calls as ThreadCalls | null
  await made?.close(own, endedAs(end, made, context))
  pool.giveBack(thread)
  // A function that returns ends its own child processes; one that was stopped, or ended its thread, could not.
  const isCut = end.kind === 'thread_lost' || stopReasonOf(context.signal) !== null
  const survivors = isCut ? await endGroup({ token, pid: null, startTime: null }, context.graceMs) : []
  if (survivors.length > 0) return unkillable(survivors)
  if (directoryError !== null) throw directoryError
  return outcomeOf(end, made, context)
}

function outcomeOf(end: CallEnd, calls: ThreadCalls | null, context: RunContext): Outcome {
  if (stopReasonOf(context.signal) === null && calls !== null && calls.limit !== null) throw calls.limit
  return endedAs(end, calls, context)
}

function endedAs(end: CallEnd, calls: ThreadCalls | null, context: RunContext): Outcome {
  const stopped = stopReasonOf(context.signal)
  if (stopped !== null) return stopped
  switch (end.kind) {
    case 'done':
      return { kind: 'completed' }
    case 'thrown':
      return outcomeOfThrown(end.error, calls?.errorOf(end.error.call))
    case 'thread_lost':
      return { kind: 'failed', error_class: 'thread_lost', message: end.message }
  }
}
