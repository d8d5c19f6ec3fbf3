import { basename, dirname, join, resolve } from 'node:path'
import type { Experiment } from '../define/experiment.ts'
import { defaultCalls } from '../define/models/model-settings.ts'
import type { Outcome } from '../define/outcome.ts'
import type { Run } from '../define/run.ts'
import type { RunContext } from '../define/target.ts'
import { environmentFor } from '../models/model-facts.ts'
import { type Models, openModels } from '../models/open-models.ts'
import { RunTrace, type SpanScope, spanScope } from '../models/trace/run-trace.ts'
import { callCacheIn } from '../record/places.ts'

/** Where a proxy listens, and the span that its calls are below. */
interface ProxyPlace extends Omit<Parameters<Models['openProxy']>[0], 'run'> {
  readonly parent?: string | undefined
}

type RunOfCalls = Parameters<Models['client']>[0]

export type ModelProxy = Awaited<ReturnType<Models['openProxy']>>

/** The models that one run calls; as a scope, its own span. */
export interface RunModels extends SpanScope {
  /** An address under which a program reaches these models; the caller closes it. */
  proxy(options: ProxyPlace): Promise<ModelProxy>
  /** Ends the run's span with how it ended; resolves when everything is written down. */
  close(outcome?: Outcome): Promise<void>
}

interface OpenedModels {
  readonly models: Models
  /** To the process at work now: each notice once, however many runs have it. */
  notice(text: string): void
  note: (message: string) => void
}

/** For each experiment that this process works on: routes, prices and connections are looked up once. */
const opened = new WeakMap<Experiment, OpenedModels>()

/** Models as in the experiment, with the run's own permits, cache and trace. */
export function openRunModels(run: Run, context: RunContext): RunModels {
  const { permits, attempt } = context
  const { models } = openedFor(context)
  const trace = openRunTrace(run, context)
  const keeping = keepingOf(context, run)
  const calls = { permits, seed: run.seed, run_attempt: attempt, keeping, trace }
  return {
    ...spanScope(trace, models.client(calls)),
    proxy({ parent, ...options }) {
      return models.openProxy({ ...options, run: parent === undefined ? calls : { ...calls, parent } })
    },
    async close(outcome) {
      if (trace !== null) await closeRunTrace(trace, outcome)
    },
  }
}

function openedFor({ experiment, note, modelIds, beyondBound }: RunContext): OpenedModels {
  const before = opened.get(experiment)
  if (before !== undefined) {
    // Notices go to the run that works now.
    before.note = note
    return before
  }
  const shown = new Set<string>()
  const notice = (text: string): void => {
    if (shown.has(text)) return
    shown.add(text)
    opened.get(experiment)?.note(text)
  }
  const models = openModels({
    env: environmentOf(experiment),
    settings: experiment.models,
    retry: { fail_on_rate_limit: experiment.limits.fail_on_rate_limit },
    rehearse: experiment.calls?.rehearse ?? false,
    ids: modelIds,
    beyond: beyondBound,
    onNotice: notice,
  })
  const all = { models, notice, note }
  opened.set(experiment, all)
  return all
}

/** Keys are in the environment, or in a `.env` next to the experiment or here. */
export const environmentOf = ({ folder }: Experiment) => environmentFor([folder, process.cwd()], process.env)

/** null: the experiment wants none. */
export function openRunTrace(run: Run, context: RunContext): RunTrace | null {
  const { experiment, attempt, token } = context
  const { trace, otlp } = experiment.calls ?? defaultCalls
  if (trace === 'none') return null
  const { models, notice } = openedFor(context)
  return new RunTrace({
    path: () => join(context.makeDirectory().run_dir, 'trace.jsonl'),
    id: token,
    content: trace === 'content',
    redact: models.redact,
    name: `run ${experiment.name}`,
    facts: {
      'assay.experiment': experiment.name,
      'assay.run': run.name,
      'assay.attempt': attempt,
      'assay.replicate': run.replicate,
      'assay.seed': run.seed,
    },
    otlp: otlp == null ? null : { to: otlp, env: process.env },
    onNotice: notice,
  })
}

/** `outcome`: undefined where the target does not know yet. */
export async function closeRunTrace(trace: RunTrace, outcome: Outcome | undefined): Promise<void> {
  if (outcome !== undefined && outcome.kind !== 'completed')
    trace.root.fail({ kind: outcome.error_class ?? outcome.kind, message: outcome.message ?? outcome.kind })
  await trace.close({ 'assay.outcome': outcome?.kind })
}

/**
 * Replicates and series are independent: a run's block, replicate and series are part of the cache key of its answers.
 * A recording knows no series, since it is replayed in others.
 */
function keepingOf({ experiment, place }: RunContext, { block, replicate }: Run): RunOfCalls['keeping'] {
  const { cache, record, replay } = experiment.calls ?? defaultCalls
  const scope = { block, replicate }
  if (replay !== null) return { folder: replay, mode: 'replay', scope }
  if (record !== null) return { folder: record, mode: 'record', scope }
  if (!cache) return null
  const folder = callCacheIn(resolve(experiment.folder, experiment.out_root))
  const series = seriesOf(dirname(dirname(place.run_dir)))
  return { folder, mode: 'cache', scope: series === null ? scope : { ...scope, series } }
}

/** The date of a dated series, `2026-11-15.2` of `nightly@2026-11-15.2`: it has its own cached answers. */
const seriesOf = (dir: string): string | null => /@(\d{4}-\d{2}-\d{2}(?:\.\d+)?)$/.exec(basename(dir))?.[1] ?? null
