import type { ModelClient } from '../model-call.ts'
import type { OpenSpan, Score } from './open-span.ts'
import type { RunTrace } from './run-trace.ts'

export interface AgentFacts {
  readonly name: string
  readonly description?: string | undefined
  readonly version?: string | undefined
  /** The model it mostly calls. */
  readonly model?: string | undefined
}

/** A tool that is to be executed, as the model asked for it. */
export interface ToolFacts {
  readonly name: string
  readonly id?: string | undefined
  readonly description?: string | undefined
  readonly arguments?: unknown
}

/** A span of a run's trace while it is open: whatever is done through it is below it. Without a trace it does the same and writes nothing. */
export interface SpanScope {
  readonly client: ModelClient
  /** Does `work` in the span of an agent; an error that it throws is the span's too. */
  agent<T>(agent: AgentFacts, work: (scope: SpanScope) => Promise<T>): Promise<T>
  /** Does `work` in the span of a tool's execution; what it returns is the tool's result. */
  tool<T>(tool: ToolFacts, work: (scope: SpanScope) => Promise<T>): Promise<T>
  /** A score of what was done in this span. */
  score(score: Score): void
  /** Marks the span as failed, where that is not told by an error: a tool whose result is one. */
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
