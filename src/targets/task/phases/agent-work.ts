import { cpSync, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import type { StopReason } from '../../../define/outcome.ts'
import type { RunContext } from '../../../define/target.ts'
import { type ModelError, outcomeOfModelError } from '../../../models/model-error.ts'
import type { SpanScope } from '../../../models/trace/run-trace.ts'
import { AssayError } from '../../../util/errors.ts'
import { readEndOf, readRegular, writeWhole } from '../../../util/files.ts'
import type { ModelProxy } from '../../run-models.ts'
import { type Agent, agentNamed } from '../agents/agent-plan.ts'
import { type Taken, takeOut, takeTouched, touchedFolder, writeArtifacts } from '../artifacts.ts'
import type { AgentFacts } from '../evaluate/results-file.ts'
import { Unscored } from '../evaluate/score.ts'
import { type AgentEnd, workOnStep } from './agent-step.ts'
import { hasOwnNetwork } from './box-of-run.ts'
import { agentMetricsFile, type BuiltInAgent, builtInFor, reportKept, trajectoryFile } from './built-in-agent.ts'
import { phaseMs, type Rollout } from './rollout.ts'
import { isTooLow, type ScoredStep, scoreOneStep } from './score-step.ts'

/** The results of the agent's work that are not in the files of the boxes. */
export interface Worked {
  readonly agent: AgentFacts
  readonly diff: string
  /** Those whose tests were run before the agent went on to the next; the rest is still to be scored. */
  readonly steps: readonly ScoredStep[]
}

/** OneShot documents this for tasks that set no limit. */
const defaultAgentSec = 1800

/** The agent works on every step, as far as it gets. */
export async function letAgentWork(rollout: Rollout): Promise<Worked> {
  const { boxes, models } = rollout
  const { about, spec } = boxes
  const agent = agentNamed(about.agent, spec.agents ?? {})
  const facts = { name: about.agent, ...(about.model !== null && { model: about.model }) }
  return models.agent(facts, span => letAgentWorkBelow(span, agent, rollout))
}

async function letAgentWorkBelow(span: SpanScope, agent: Agent, rollout: Rollout): Promise<Worked> {
  const { boxes, context } = rollout
  const { about, dir } = boxes
  const limit = new AbortController()
  const proxy = await openFor(agent, rollout, {
    parent: span.traceparent?.split('-')[2],
    stop: reason => limit.abort(reason),
  })
  // Its spending is not visible here, which is not the same as nothing.
  if (agent.kind === 'command' && agent.isDirect)
    context.lacks('cost_usd', `${agent.name} calls its provider itself, past the model proxy`)
  const builtIn = agent.kind === 'assay' ? await builtInFor(rollout, span) : null
  try {
    const signal = AbortSignal.any([context.signal, limit.signal])
    const result = await steps(agent, { proxy, builtIn }, rollout, signal)
    // It means the same for the run, whether assay or the agent makes the calls.
    if (proxy?.limit != null) throw proxy.limit
    context.signal.throwIfAborted()
    if (proxy?.problem != null && isNotTheAgents(proxy.problem, result.ends.at(-1))) throw proxy.problem
    const counting = { proxy, isCounted: agent.kind !== 'command' || !agent.isDirect }
    const facts = { ...factsOf(result.ends, rollout, counting), ...builtIn?.finish() }
    if (proxy !== null) refuseUnstarted(facts)
    const lastWords = lastOutput(dir)
    writeArtifacts(join(dir, 'artifacts'), { ...result, task: about.task, repo: rollout.repo, agent: facts, lastWords })
    writeWhole(join(dir, agentFile), `${JSON.stringify(facts, null, 2)}\n`)
    reportPrice(facts, rollout.context)
    return { agent: facts, diff: result.taken.diff, steps: result.scored }
  } finally {
    await proxy?.close()
  }
}

/** If an agent gave up because its provider was gone, this says nothing about it; if it sent nonsense, it does. */
function isNotTheAgents(problem: ModelError, end: AgentEnd | undefined): boolean {
  if (problem.fault === 'missing_recording') return true
  const hasGivenUp = end?.how === 'exited' && end.exitCode !== 0
  return hasGivenUp && outcomeOfModelError(problem).kind !== 'failed'
}

/** The port of the proxy in a box's own network. */
const boxPort = 8311

/** A model that was never asked is not scored for a program that does not work here. */
function refuseUnstarted({ name, model, ended, exit_code, calls }: AgentFacts): void {
  if ((calls ?? 0) > 0 || ended !== 'exited' || exit_code === null || exit_code === 0) return
  const message = `${name} ended with exit code ${exit_code} before it had asked ${model} anything; logs/agent-errors.log may say why`
  throw new Unscored('agent_not_started', message)
}

/**
 * Only an agent that is a program with a model makes calls. A socket's path must be short, so it can't be in the run's
 * folder.
 */
async function openFor(
  agent: Agent,
  { boxes, models, context }: Rollout,
  { parent, stop }: { readonly parent: string | undefined; readonly stop: (reason: StopReason) => void },
): Promise<ModelProxy | null> {
  const { model } = boxes.about
  if (agent.kind !== 'command' || agent.isDirect || model === null) return null
  return models.proxy({
    listen: hasOwnNetwork(boxes) ? { socket: socketOf(context.token) } : { port: 0 },
    listed: [model],
    signal: context.signal,
    parent,
    onLimit: ({ message }) => stop({ kind: 'cost_limited', message }),
  })
}

/** The socket of an attempt's proxy. */
export const socketOf = (token: string): string => join(tmpdir(), `assay-${token.slice(0, 16)}.sock`)

interface Steps {
  readonly ends: readonly AgentEnd[]
  readonly taken: Taken
  readonly scored: readonly ScoredStep[]
}

async function steps(
  agent: Agent,
  { proxy, builtIn }: { readonly proxy: ModelProxy | null; readonly builtIn: BuiltInAgent | null },
  rollout: Rollout,
  signal: AbortSignal,
): Promise<Steps> {
  const { boxes, context } = rollout
  const { task, agentSec } = boxes.about
  const ends: AgentEnd[] = []
  const scored: ScoredStep[] = []
  let taken: Taken = { diff: '', left: [] }
  const artifacts = join(boxes.dir, 'artifacts')
  mkdirSync(artifacts, { recursive: true })
  for (const [at, step] of task.steps.entries()) {
    const options = {
      agent,
      models: proxy === null ? null : { socket: proxy.socket, port: proxy.port ?? boxPort, key: proxy.key },
      timeoutMs: phaseMs(rollout, 'agent', agentSec ?? step.agentSec ?? defaultAgentSec),
      graceMs: context.graceMs,
      folder: context.experiment.folder,
      params: rollout.run.params,
      builtIn,
      signal,
    }
    const end = await workOnStep({ step, at }, boxes, options, async box => {
      // A box only sees the changes made in it; earlier steps had their own boxes.
      const { diff, left } = await takeOut(box, step.artifacts, artifacts)
      taken = { diff: taken.diff + diff, left: [...taken.left, ...left] }
      if (task.rubrics.length > 0) await takeTouched(box, taken.diff, boxes)
    })
    ends.push(end)
    if (end.how === 'stopped' || at === task.steps.length - 1) break
    const score = await scoreOneStep({ step, at }, rollout)
    scored.push(score)
    if (isTooLow(step, score)) break
  }
  return { ends, taken, scored }
}

/** Written when the agent's work is complete and stored. */
const agentFile = 'agent.json'

/** Whether an attempt in this folder lacks only its score. */
export const hasWorked = (dir: string): boolean => readRegular(join(dir, agentFile)) !== null

function factsOf(
  ends: readonly AgentEnd[],
  { boxes }: Rollout,
  { proxy, isCounted }: { readonly proxy: ModelProxy | null; readonly isCounted: boolean },
): AgentFacts {
  const { agent, model } = boxes.about
  const last = ends.at(-1)
  const totals = proxy?.totals()
  const none = isCounted ? 0 : null
  return {
    name: agent,
    model: proxy === null ? null : model,
    ended: last?.how ?? 'exited',
    exit_code: last?.exitCode ?? null,
    signal: last?.signal ?? null,
    limits_reached: [...new Set(ends.flatMap(({ reached }) => reached))],
    left_running: [...new Set(ends.flatMap(({ leftovers }) => leftovers))].slice(0, mostNames),
    wall_s: ends.reduce((sum, { wall_s }) => sum + wall_s, 0),
    tokens_total: totals === undefined ? none : totals.input_tokens + totals.output_tokens,
    // Cached answers count too: the agent requested them.
    calls: totals === undefined ? none : totals.calls + totals.cached_calls,
    tool_calls: proxy?.toolCalls ?? none,
    cost_usd: totals === undefined ? none : totals.cost_usd,
    price_usd: totals === undefined ? none : totals.price_usd,
  }
}

/** A fork bomb leaves more than a person would read. */
const mostNames = 20

function lastOutput(dir: string): string {
  return readEndOf(join(dir, 'logs', 'agent.log'), 2000)?.end.toString('utf8') ?? ''
}

const storedFacts = z.lazy(() =>
  z.strictObject({
    name: z.string(),
    model: z.string().nullable(),
    ended: z.string(),
    exit_code: z.number().nullable(),
    signal: z.string().nullable(),
    limits_reached: z.array(z.string()),
    left_running: z.array(z.string()),
    wall_s: z.number(),
    tokens_total: z.number().nullable(),
    calls: z.number().nullable(),
    tool_calls: z.number().nullable(),
    cost_usd: z.number().nullable(),
    price_usd: z.number().nullable().optional(),
    exit_status: z.string().optional(),
    exit_message: z.string().optional(),
  }),
)

/**
 * For scoring again: the files of an earlier attempt are copied here, except those of its boxes, which are used where
 * they are.
 */
export function takeOverWork({ boxes, context }: Rollout): Worked {
  const from = context.continues?.dir ?? null
  const facts = from === null ? null : readRegular(join(from, agentFile))
  if (from === null || facts === null)
    throw new AssayError('config', 'the attempt that is to be scored has left no files', {
      hint: 'Run it again with --rerun.',
    })
  for (const name of ['artifacts', 'logs', touchedFolder, agentFile, agentMetricsFile, trajectoryFile])
    if (existsSync(join(from, name)))
      cpSync(join(from, name), join(boxes.dir, name), { recursive: true, filter: isWorthCopying })
  const diff = readRegular(join(from, 'artifacts', 'diff.patch')) ?? ''
  reportKept(from, context)
  const agent = storedFacts.parse(JSON.parse(facts))
  reportPrice(agent, context)
  return { agent, diff, steps: [] }
}

/** For the agent alone: judges are not part of its cost. */
function reportPrice({ calls, price_usd }: AgentFacts, { report }: Pick<RunContext, 'report'>): void {
  if ((calls ?? 0) > 0 && price_usd != null) report({ metric: 'price_usd', value: price_usd, step: null })
}

/** The box could write to some of these folders: no links, pipes and sockets, and nothing that would fill the disk. */
function isWorthCopying(path: string): boolean {
  const found = lstatSync(path)
  return found.isDirectory() || (found.isFile() && found.size <= mostCopied)
}

const mostCopied = 200 * 1_000_000
