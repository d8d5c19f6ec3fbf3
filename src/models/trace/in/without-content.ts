import type { Attribute, Span } from '../span.ts'

/**
 * A span of another program without content. It is unknown which of its texts are content, so only texts are kept whose
 * names OpenTelemetry defines as facts; numbers and booleans are facts.
 */
export function withoutContent(span: Span): Span {
  const { message: _message, ...status } = span.status
  return {
    ...span,
    attributes: span.attributes.filter(isFact),
    ...(span.events !== undefined && {
      events: span.events.map(event => ({ ...event, attributes: event.attributes.filter(isFact) })),
    }),
    status,
  }
}

const isFact = ({ key, value }: Attribute): boolean =>
  'intValue' in value ||
  'doubleValue' in value ||
  'boolValue' in value ||
  (!content.test(key) && facts.some(fact => key === fact || key.startsWith(fact.endsWith('.') ? fact : `${fact}.`)))

const facts = [
  'assay.original.trace_id',
  'error.type',
  'gen_ai.agent',
  'gen_ai.conversation.id',
  'gen_ai.evaluation.name',
  'gen_ai.evaluation.score',
  'gen_ai.operation.name',
  'gen_ai.output.type',
  'gen_ai.provider.name',
  'gen_ai.request',
  'gen_ai.response',
  'gen_ai.system',
  'gen_ai.tool',
  'gen_ai.usage',
  'http.request.method',
  'openinference.span.kind',
  'otel',
  'rpc.method',
  'rpc.service',
  'server',
  'service',
  'telemetry',
  'exception.type',
]

/** Some of these names have content after all. */
const content = /^gen_ai\.(tool\.(call\.(arguments|result)|definitions)|system_instructions|agent\.description)/
