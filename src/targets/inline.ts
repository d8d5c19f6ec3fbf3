import * as z from 'zod'
import { type Outcome, stopReasonOf } from '../define/outcome.ts'
import type { Run } from '../define/run.ts'
import type { RunContext, Target } from '../define/target.ts'
import { sha256 } from '../util/hash.ts'
import type { JsonObject } from '../util/json.ts'
import { type CallContext, callContext } from './function/call-context.ts'
import { returnedMetrics } from './function/returned-metrics.ts'

/** A function under test: parameters in, metrics out. */
export type RunFunction = (params: JsonObject, context: CallContext) => unknown

const spec = z.strictObject({ kind: z.literal('inline') })

/**
 * A run is a call of a function of the program that assay is used from: in this very thread, so it can use whatever
 * it has at hand. Its source text is its identity. What never yields can't be stopped; the `function` target can.
 */
export function inlineTarget(call: RunFunction): Target<z.infer<typeof spec>> {
  return {
    kind: 'inline',
    schema: spec,
    check: () => [],
    identity: () => ({ source: sha256(String(call)) }),
    describe: (_, run, _place, experiment) => ({
      command: [call.name || 'inline function', JSON.stringify(run.params)],
      cwd: experiment.folder,
    }),
    bound: () => 'unknown',
    execute: (_, run, context) => execute(call, run, context),
  }
}

async function execute(call: RunFunction, run: Run, context: RunContext): Promise<Outcome> {
  const { name: runId, params, block, replicate, seed } = run
  const facts = {
    module: '',
    export: '',
    runId,
    params,
    block,
    replicate,
    seed,
    token: context.token,
    place: context.place,
  }
  try {
    const returned = await call(
      params,
      callContext(facts, {
        signal: () => context.signal,
        report: point => context.report(point),
        makeDirectory: () => void context.makeDirectory(),
      }),
    )
    for (const point of returnedMetrics(returned)) context.report(point)
    return stopReasonOf(context.signal) ?? { kind: 'completed' }
  } catch (error) {
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    return stopReasonOf(context.signal) ?? { kind: 'failed', error_class: name, message }
  }
}
