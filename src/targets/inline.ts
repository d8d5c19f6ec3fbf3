import * as z from 'zod'
import { type Outcome, stopReasonOf } from '../define/outcome.ts'
import type { Run } from '../define/run.ts'
import type { RunContext, Target } from '../define/target.ts'
import { sha256 } from '../util/hash.ts'
import type { JsonObject } from '../util/json.ts'
import { type CallContext, callContext } from './function/call-context.ts'
import { boundOfModels, completeModels, readyFunction } from './function/models/calls-models.ts'
import type { ContextModels } from './function/models/context-models.ts'
import { modelErrorIn, outcomeOfThrown } from './function/models/outcome-of-thrown.ts'
import { withoutOwnCost } from './function/models/own-cost.ts'
import { RunCalls } from './function/models/run-calls.ts'
import { returnedMetrics } from './function/returned-metrics.ts'
import { callsModels } from './function/spec.ts'
import { rehearsalIdentity, rehearsalNotes } from './rehearsal.ts'

// Types of a function's arguments.
export type { CallContext } from './function/call-context.ts'

/** A function under test: parameters in, metrics out. */
export type RunFunction = (params: JsonObject, context: CallContext) => unknown

const spec = z.lazy(() => z.strictObject({ kind: z.literal('inline'), models: callsModels }))

/**
 * A run is a call of a function in the program that uses assay: in this very thread, so it can use everything there.
 * Its source text is its identity. A function that never yields can't be stopped; the `function` target can.
 */
export function inlineTarget(call: RunFunction): Target<z.infer<typeof spec>> {
  return {
    kind: 'inline',
    schema: spec,
    complete: completeModels,
    check: () => [],
    ready: readyFunction,
    identity: (_, experiment) => ({ source: sha256(String(call)), ...rehearsalIdentity(experiment) }),
    describe: (_, run, _place, experiment) => ({
      command: [call.name || 'inline function', JSON.stringify(run.params)],
      cwd: experiment.folder,
    }),
    bound: boundOfModels,
    boundHint: 'or a section "models" with the models that it calls, if it spends on nothing else',
    notes: rehearsalNotes,
    execute: (own, run, context) => withoutOwnCost(own, context, watched => execute(call, run, watched)),
  }
}

async function execute(call: RunFunction, run: Run, context: RunContext): Promise<Outcome> {
  const { name: runId, params, block, replicate, seed } = run
  const { token, place } = context
  const facts = { module: '', export: '', runId, params, block, replicate, seed, token, place }
  const own = new Map<string, number>()
  let calls: RunCalls | undefined
  const models = (): ContextModels => {
    calls ??= new RunCalls(run, context)
    return calls.models
  }
  const report: RunContext['report'] = point => {
    own.set(point.metric, (own.get(point.metric) ?? 0) + point.value)
    context.report(point)
  }
  const services = { signal: () => context.signal, report, makeDirectory: () => void context.makeDirectory(), models }
  const outcome = await outcomeOf(async () => {
    const returned = await call(params, callContext(facts, services))
    for (const point of returnedMetrics(returned)) report(point)
  })
  const stopped = stopReasonOf(context.signal)
  await calls?.close(own, stopped ?? outcome)
  if (stopped !== null) return stopped
  if (calls !== undefined && calls.limit !== null) throw calls.limit
  return outcome
}

async function outcomeOf(work: () => Promise<void>): Promise<Outcome> {
  try {
    await work()
    return { kind: 'completed' }
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : { name: 'Error', message: String(thrown) }
    return outcomeOfThrown(error, modelErrorIn(thrown))
  }
}
