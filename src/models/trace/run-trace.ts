import { sha256 } from '../../util/hash.ts'
import { systemClock } from '../../util/system-clock.ts'
import { type Clock, steadyTime } from '../../util/time.ts'
import type { Environment } from '../keys/access.ts'
import type { Redact } from '../keys/redact.ts'
import type { ModelClient } from '../model-call.ts'
import { callSpan, contentOf, type TracedCall } from './call-span.ts'
import type { Intake } from './in/receiver.ts'
import { OpenSpan, type Score } from './open-span.ts'
import { flushPushes, type OtlpPush, pushTo } from './otlp-push.ts'
import type { Span, SpanFacts, SpanOrigin } from './span.ts'
import { TraceFile } from './trace-file.ts'

/** Where calls are written down. */
export interface Trace {
  /** `parent`: the id of the span they are below; without one, the run's. */
  call(traced: TracedCall, parent?: string): void
}

export interface RunTraceOptions {
  /**
   * The file's path; only requested when there is something to write, so that a run without calls needs no directory.
   */
  path(): string
  /** Distinguishes this attempt of this run from all others; the trace's id is derived from it. */
  readonly id: string
  /** Whether prompts and answers are in it. */
  readonly content: boolean
  readonly redact: Redact
  /** The name and attributes of the run's span. */
  readonly name?: string
  readonly facts?: SpanFacts
  readonly clock?: Clock
  /** Where every span is also sent, and the run's span even if there is no other. */
  readonly otlp?: { readonly to: string; readonly env: Environment } | null
  onNotice?(notice: string): void
}

/** Resolves when this process's spans are sent, or the time for it is over. */
export const flushTraces = (): Promise<void> => flushPushes()

/** The trace of one run: its own span, and below it agents, tools, calls, and spans sent by other programs. */
export class RunTrace implements Trace {
  readonly #options: RunTraceOptions
  readonly #time: () => number
  readonly #file: TraceFile
  readonly #push: OtlpPush | null
  readonly #run: OpenSpan
  readonly traceId: string
  #opened = 0
  #written = 0
  #isOver = false

  constructor(options: RunTraceOptions) {
    const { id, name = 'run', facts = {}, clock = systemClock, redact, otlp, onNotice = () => {} } = options
    this.#options = options
    this.#push = otlp ? pushTo(otlp.to, otlp.env, onNotice) : null
    const about = { 'assay.experiment': facts['assay.experiment'], 'assay.run': facts['assay.run'] }
    this.#time = steadyTime(clock)
    this.traceId = sha256(id).slice(0, 32)
    this.#file = new TraceFile({ ...options, onSpan: written => this.#push?.add(written, about, redact) })
    this.#run = this.#start(name, facts)
  }

  get hasContent(): boolean {
    return this.#options.content
  }

  /** The run's span. */
  get root(): OpenSpan {
    return this.#run
  }

  /** For programs that are started below a span: https://www.w3.org/TR/trace-context/. */
  traceparent(span: OpenSpan): string {
    return `00-${this.traceId}-${span.id}-01`
  }

  call(traced: TracedCall, parent = this.#run.id): void {
    // Agents keep adding to their conversation while this one waits to be written.
    const kept = { ...traced, call: { ...traced.call, messages: [...traced.call.messages] } }
    const span = { traceId: this.traceId, spanId: this.#nextId(), parentSpanId: parent, ...callSpan(traced) }
    this.#write(span, this.hasContent ? () => contentOf(kept) : undefined)
  }

  /** A span that lasts until {@link end}. */
  open(name: string, facts: SpanFacts, parent: OpenSpan): OpenSpan {
    return this.#start(name, facts, parent.id)
  }

  end(span: OpenSpan, more: SpanFacts = {}): void {
    this.#write(span.ended(this.#time(), more))
  }

  score(span: OpenSpan, score: Score): void {
    span.score(score, this.#time())
  }

  /** An address that other programs may send spans to, which become part of this trace. */
  async receive(): Promise<Intake> {
    const { openIntake } = await import('./in/receiver.ts')
    return openIntake({
      traceId: this.traceId,
      parent: this.#run.id,
      content: this.hasContent,
      take: (span, origin) => this.#write(span, undefined, origin),
      onNotice: this.#options.onNotice ?? (() => {}),
    })
  }

  /** Ends the run's span, if there is anything to report; resolves when everything is on disk. */
  async close(facts: SpanFacts = {}): Promise<void> {
    const isWorthIt = this.#written > 0 || this.#run.hasEvents || this.#push !== null
    if (isWorthIt && !this.#isOver) this.end(this.#run, facts)
    this.#isOver = true
    await this.#file.close()
  }

  #start(name: string, facts: SpanFacts, parentSpanId?: string): OpenSpan {
    const ids = { traceId: this.traceId, spanId: this.#nextId(), ...(parentSpanId !== undefined && { parentSpanId }) }
    return new OpenSpan({ ...ids, name, facts, started_at: this.#time() }, this.hasContent)
  }

  #nextId(): string {
    return sha256(`${this.traceId} ${++this.#opened}`).slice(0, 16)
  }

  #write(span: Span, lists = () => ({}), origin: SpanOrigin | null = null): void {
    this.#written++
    this.#file.add({ span, lists, origin })
  }
}

export interface AgentFacts {
  readonly name: string
  readonly description?: string | undefined
  readonly version?: string | undefined
  /** The model it mostly calls. */
  readonly model?: string | undefined
}

/** A tool that is to be executed, as the model requested it. */
export interface ToolFacts {
  readonly name: string
  readonly id?: string | undefined
  readonly description?: string | undefined
  readonly arguments?: unknown
}

/**
 * An open span of a run's trace: everything done through it is below it. Without a trace it does the same and writes
 * nothing.
 */
export interface SpanScope {
  readonly client: ModelClient
  /** Does `work` in the span of an agent; an error that it throws is recorded in the span too. */
  agent<T>(agent: AgentFacts, work: (scope: SpanScope) => Promise<T>): Promise<T>
  /** Does `work` in the span of a tool's execution; its return value is the tool's result. */
  tool<T>(tool: ToolFacts, work: (scope: SpanScope) => Promise<T>): Promise<T>
  /** A score of the work in this span. */
  score(score: Score): void
  /** Marks the span as failed without throwing: for a tool whose result is an error. */
  fail(error: unknown): void
  /** For the environment of programs that are started here, as TRACEPARENT; null: nothing is traced. */
  readonly traceparent: string | null
}

/** A client that can be put below a span. */
interface NestedClient extends ModelClient {
  under(parent: string): NestedClient
}

export function spanScope(trace: RunTrace | null, client: NestedClient, span?: OpenSpan): SpanScope {
  if (trace === null) return untraced(client)
  const at = span ?? trace.root
  const within = async <T>(inner: OpenSpan, work: (scope: SpanScope) => Promise<T>, toolResult = false): Promise<T> => {
    let facts = {}
    try {
      const result = await work(spanScope(trace, client.under(inner.id), inner))
      if (toolResult && trace.hasContent) facts = { 'gen_ai.tool.call.result': textOf(result) }
      return result
    } catch (error) {
      inner.fail(error)
      throw error
    } finally {
      trace.end(inner, facts)
    }
  }
  return {
    client,
    agent: (agent, work) => within(openAgent(trace, at, agent), work),
    tool: (tool, work) => within(openTool(trace, at, tool), work, true),
    score: score => trace.score(at, score),
    fail: error => at.fail(error),
    traceparent: trace.traceparent(at),
  }
}

function untraced(client: ModelClient): SpanScope {
  const scope: SpanScope = {
    client,
    agent: (_, work) => work(scope),
    tool: (_, work) => work(scope),
    score: () => {},
    fail: () => {},
    traceparent: null,
  }
  return scope
}

/** https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-agent-spans.md */
const openAgent = (trace: RunTrace, at: OpenSpan, { name, description, version, model }: AgentFacts): OpenSpan =>
  trace.open(
    `invoke_agent ${name}`,
    {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'assay',
      'gen_ai.agent.name': name,
      'gen_ai.agent.description': description,
      'gen_ai.agent.version': version,
      'gen_ai.request.model': model,
    },
    at,
  )

/** https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/execute-tool.md */
const openTool = (trace: RunTrace, at: OpenSpan, tool: ToolFacts): OpenSpan =>
  trace.open(
    `execute_tool ${tool.name}`,
    {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': tool.id,
      'gen_ai.tool.description': tool.description,
      'gen_ai.tool.call.arguments': trace.hasContent ? textOf(tool.arguments) : null,
    },
    at,
  )

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : JSON.stringify(value))
