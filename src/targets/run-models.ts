import { basename, dirname, join, resolve } from 'node:path'
import type { Experiment } from '../define/experiment.ts'
import { usualCalls } from '../define/models/model-settings.ts'
import type { Run } from '../define/run.ts'
import type { RunContext } from '../define/target.ts'
import { callCacheIn, fileStore } from '../models/cache/call-store.ts'
import type { Keeping } from '../models/cache/kept-calls.ts'
import { environmentFor } from '../models/keys/access.ts'
import type { ModelClient } from '../models/model-call.ts'
import { type Models, openModels } from '../models/open-models.ts'
import { type Trace, TraceFile } from '../models/trace/trace-file.ts'

/** The models that one run calls. */
export interface RunModels {
  readonly client: ModelClient
  /** Resolves when everything is written down. */
  close(): Promise<void>
}

/** Of each experiment that this process works on: routes, prices and connections are looked up once. */
const opened = new WeakMap<Experiment, { readonly models: Models; note: (message: string) => void }>()

/** Models as the experiment says, with the run's own permits, kept answers and trace. */
export function openRunModels(run: Run, context: RunContext): RunModels {
  const { permits, attempt } = context
  const models = modelsOf(context)
  const trace = traceOf(models, context)
  const keeping = keepingOf(context, run, models)
  const client = models.client({ permits, seed: run.seed, run_attempt: attempt, keeping, trace })
  return {
    client,
    async close() {
      await trace?.close()
    },
  }
}

function modelsOf({ experiment, note, modelIds, beyondBound }: RunContext): Models {
  const before = opened.get(experiment)
  if (before !== undefined) {
    // Whoever works now can still be heard.
    before.note = note
    return before.models
  }
  const said = new Set<string>()
  const models = openModels({
    env: environmentOf(experiment),
    settings: experiment.models,
    retry: { fail_on_rate_limit: experiment.limits.fail_on_rate_limit },
    rehearse: experiment.calls?.rehearse ?? false,
    ids: modelIds,
    beyond: beyondBound,
    onNotice(notice) {
      if (said.has(notice)) return
      said.add(notice)
      opened.get(experiment)?.note(notice)
    },
  })
  opened.set(experiment, { models, note })
  return models
}

/** Keys are in the environment, or in a `.env` beside the experiment or here. */
export const environmentOf = ({ folder }: Experiment) => environmentFor([folder, process.cwd()], process.env)

function traceOf(models: Models, context: RunContext): Trace | null {
  const { trace } = context.experiment.calls ?? usualCalls
  if (trace === 'none') return null
  return new TraceFile({
    path: () => join(context.makeDirectory().run_dir, 'trace.jsonl'),
    id: context.token,
    content: trace === 'content',
    redact: models.redact,
    onNotice: context.note,
  })
}

/**
 * Replicates and series are independent: what tells a run's block, replicate and series from others' is part of what
 * answers are kept by. A recording knows no series, since it is replayed in others.
 */
function keepingOf({ experiment, place }: RunContext, { block, replicate }: Run, { redact }: Models): Keeping | null {
  const { cache, record, replay } = experiment.calls ?? usualCalls
  const scope = { block, replicate }
  if (replay !== null) return { mode: 'replay', store: fileStore(replay), scope }
  if (record !== null) return { mode: 'record', store: fileStore(record, redact), scope }
  if (!cache) return null
  const folder = callCacheIn(resolve(experiment.folder, experiment.out_root))
  const series = seriesOf(dirname(dirname(place.run_dir)))
  return { mode: 'cache', store: fileStore(folder, redact), scope: series === null ? scope : { ...scope, series } }
}

/** The date of a dated series, `2026-11-15.2` of `nightly@2026-11-15.2`: its answers are its own. */
const seriesOf = (dir: string): string | null => /@(\d{4}-\d{2}-\d{2}(?:\.\d+)?)$/.exec(basename(dir))?.[1] ?? null
