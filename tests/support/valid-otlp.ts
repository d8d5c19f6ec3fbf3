/**
 * A strict reader of OTLP's JSON (opentelemetry-proto 1.10) and of OpenTelemetry's conventions for generative AI: written
 * from the specifications, and knowing nothing of the code that writes spans. It returns everything that is wrong. Spans
 * of other programs must be OTLP, and need not follow the conventions.
 */
export function problemsOfOtlp(document: unknown): string[] {
  const problems: string[] = []
  const say = (at: string, what: string): void => void problems.push(`${at}: ${what}`)
  const types = new Map<string, string>()
  const ids = new Map<string, string>()
  let isOurs = true
  const parents: { at: string; traceId: string; parent: string }[] = []

  const object = (at: string, value: unknown, known: readonly string[]): Record<string, unknown> => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      say(at, 'is no object')
      return {}
    }
    for (const key of Object.keys(value)) if (!known.includes(key)) say(at, `has an unknown field ${key}`)
    return { ...value }
  }
  const list = (at: string, value: unknown): readonly unknown[] => {
    if (value === undefined) return []
    if (!Array.isArray(value)) say(at, 'is no list')
    return Array.isArray(value) ? value : []
  }
  const text = (at: string, value: unknown): string => {
    if (typeof value !== 'string' || value === '') say(at, 'is no text')
    return String(value)
  }
  const time = (at: string, value: unknown): bigint => {
    if (typeof value !== 'string' || !/^\d{16,20}$/.test(value)) say(at, `is no time in nanoseconds: ${value}`)
    return BigInt(typeof value === 'string' && /^\d+$/.test(value) ? value : 0)
  }
  const id = (at: string, value: unknown, digits: number): string => {
    const isId = typeof value === 'string' && new RegExp(`^[0-9a-f]{${digits}}$`).test(value) && !/^0+$/.test(value)
    if (!isId) say(at, `is no id of ${digits} digits: ${value}`)
    return String(value)
  }

  const valueType = (at: string, value: unknown): string => {
    const kinds = ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'arrayValue', 'kvlistValue', 'bytesValue']
    const fields = Object.entries(object(at, value, kinds))
    const [first] = fields
    if (fields.length !== 1 || first === undefined) {
      say(at, `has ${fields.length} values`)
      return 'none'
    }
    const [kind, held] = first
    switch (kind) {
      case 'stringValue':
        if (typeof held !== 'string') say(at, 'stringValue is no text')
        return 'string'
      case 'boolValue':
        if (typeof held !== 'boolean') say(at, 'boolValue is no boolean')
        return 'boolean'
      case 'intValue':
        if (typeof held !== 'string' || !/^-?\d{1,19}$/.test(held)) say(at, `intValue is no text of digits: ${held}`)
        return 'int'
      case 'doubleValue':
        if (typeof held !== 'number') say(at, 'doubleValue is no number')
        return 'double'
      case 'arrayValue': {
        const inner = list(at, object(at, held, ['values']).values).map(one => valueType(at, one))
        if (new Set(inner).size > 1) say(at, 'is a list of several types')
        return `${inner[0] ?? 'string'}[]`
      }
      default:
        return kind
    }
  }

  const attributes = (at: string, value: unknown): Map<string, string> => {
    const found = new Map<string, string>()
    for (const one of list(at, value)) {
      const { key, value: held } = object(at, one, ['key', 'value'])
      const name = text(`${at}.key`, key)
      if (found.has(name)) say(at, `has ${name} twice`)
      const type = valueType(`${at}.${name}`, held)
      found.set(name, type)
      if (!isOurs) continue
      const before = types.get(name)
      if (before !== undefined && before !== type) say(at, `${name} is ${type} here and ${before} elsewhere`)
      types.set(name, type)
      const wanted = conventions[name]
      if (wanted !== undefined && wanted !== type) say(at, `${name} is ${type}, by convention ${wanted}`)
      if (wanted === undefined && /^(gen_ai|server|http|error)\./.test(name)) say(at, `${name} is in no convention`)
    }
    return found
  }

  const has = (at: string, found: ReadonlyMap<string, string>, names: readonly string[]): void => {
    for (const name of names) if (!found.has(name)) say(at, `has no ${name}`)
  }

  const span = (at: string, value: unknown): void => {
    const fields = object(at, value, spanFields)
    const name = text(`${at}.name`, fields.name)
    const where = `${at} ${name}`
    const traceId = id(`${where}.traceId`, fields.traceId, 32)
    const spanId = id(`${where}.spanId`, fields.spanId, 16)
    const key = `${traceId} ${spanId}`
    if (ids.has(key)) say(where, `has the id of ${ids.get(key)}`)
    ids.set(key, where)
    if (fields.parentSpanId !== undefined)
      parents.push({ at: where, traceId, parent: id(`${where}.parentSpanId`, fields.parentSpanId, 16) })
    if (![1, 2, 3, 4, 5].includes(Number(fields.kind)) || typeof fields.kind !== 'number') say(where, 'has no kind')
    const [start, end] = [time(where, fields.startTimeUnixNano), time(where, fields.endTimeUnixNano)]
    if (end < start) say(where, 'ends before it starts')
    const found = attributes(where, fields.attributes)
    const status = object(`${where}.status`, fields.status ?? {}, ['code', 'message'])
    if (![undefined, 0, 1, 2].includes(status.code as never)) say(where, `has status ${status.code}`)
    if (status.code === 2 && isOurs) has(where, found, ['error.type'])
    else if (status.code !== 2 && status.message !== undefined) say(where, 'has a message without an error')
    for (const [index, one] of list(`${where}.events`, fields.events).entries()) event(`${where}.events[${index}]`, one)
    if (isOurs) operation(where, name, fields, found)
  }

  const operation = (
    at: string,
    name: string,
    fields: Record<string, unknown>,
    found: ReadonlyMap<string, string>,
  ): void => {
    if (found.has('server.address')) has(at, found, ['server.port'])
    const plain = (key: string): string | undefined => {
      const all = list(at, fields.attributes) as { key: string; value: { stringValue?: string } }[]
      return all.find(one => one.key === key)?.value.stringValue
    }
    switch (plain('gen_ai.operation.name')) {
      case 'chat':
        if (fields.kind !== 3) say(at, 'is no client')
        has(at, found, ['gen_ai.provider.name', 'gen_ai.request.model', 'gen_ai.response.finish_reasons'])
        if (name !== `chat ${plain('gen_ai.request.model')}`) say(at, 'is not called chat and its model')
        for (const key of ['gen_ai.input.messages', 'gen_ai.output.messages'])
          if (found.has(key)) messages(`${at}.${key}`, plain(key) ?? '')
        return
      case 'invoke_agent':
        if (fields.kind !== 1) say(at, 'is not internal')
        has(at, found, ['gen_ai.provider.name', 'gen_ai.agent.name'])
        if (name !== `invoke_agent ${plain('gen_ai.agent.name')}`) say(at, 'is not called invoke_agent and its name')
        return
      case 'execute_tool':
        if (fields.kind !== 1) say(at, 'is not internal')
        has(at, found, ['gen_ai.tool.name'])
        if (name !== `execute_tool ${plain('gen_ai.tool.name')}`) say(at, 'is not called execute_tool and its name')
        return
      case undefined:
        return
      default:
        say(at, `has an unknown operation ${plain('gen_ai.operation.name')}`)
    }
  }

  const messages = (at: string, written: string): void => {
    for (const [index, one] of list(at, JSON.parse(written)).entries()) {
      const { role, parts } = object(`${at}[${index}]`, one, ['role', 'parts', 'name', 'finish_reason', 'cache'])
      text(`${at}[${index}].role`, role)
      for (const part of list(at, parts)) {
        const { type } = part as Record<string, unknown>
        const needed = {
          text: ['content'],
          reasoning: ['content'],
          tool_call: ['name'],
          tool_call_response: ['response'],
        }
        const wanted = needed[String(type) as keyof typeof needed]
        if (wanted === undefined) say(at, `has a part of type ${type}`)
        for (const key of wanted ?? []) if (!Object.hasOwn(part as object, key)) say(at, `a ${type} has no ${key}`)
      }
    }
  }

  const event = (at: string, value: unknown): void => {
    const fields = object(at, value, ['timeUnixNano', 'name', 'attributes', 'droppedAttributesCount'])
    time(at, fields.timeUnixNano)
    const name = text(at, fields.name)
    const found = attributes(at, fields.attributes)
    if (name === 'gen_ai.evaluation.result') has(at, found, ['gen_ai.evaluation.name'])
  }

  const { resourceSpans } = object('document', document, ['resourceSpans'])
  for (const [index, one] of list('resourceSpans', resourceSpans).entries()) {
    const at = `resourceSpans[${index}]`
    const { resource, scopeSpans } = object(at, one, ['resource', 'scopeSpans', 'schemaUrl'])
    const { attributes: about } = object(at, resource, ['attributes', 'droppedAttributesCount'])
    has(at, attributes(at, about), ['service.name'])
    for (const scoped of list(at, scopeSpans)) {
      const { scope, spans } = object(at, scoped, ['scope', 'spans', 'schemaUrl'])
      isOurs = object(at, scope, ['name', 'version', 'attributes']).name === 'assay'
      for (const [nth, inner] of list(at, spans).entries()) span(`${at}.spans[${nth}]`, inner)
    }
  }
  for (const { at, traceId, parent } of parents)
    if (!ids.has(`${traceId} ${parent}`)) say(at, `has a parent that is not there: ${parent}`)
  return problems
}

const spanFields = [
  'traceId',
  'spanId',
  'traceState',
  'parentSpanId',
  'flags',
  'name',
  'kind',
  'startTimeUnixNano',
  'endTimeUnixNano',
  'attributes',
  'droppedAttributesCount',
  'events',
  'droppedEventsCount',
  'links',
  'droppedLinksCount',
  'status',
]

/** Types of attributes, from the registries of semantic-conventions and semantic-conventions-genai. */
const conventions: Readonly<Record<string, string>> = {
  'error.message': 'string',
  'error.type': 'string',
  'gen_ai.agent.description': 'string',
  'gen_ai.agent.name': 'string',
  'gen_ai.agent.version': 'string',
  'gen_ai.evaluation.explanation': 'string',
  'gen_ai.evaluation.name': 'string',
  'gen_ai.evaluation.score.label': 'string',
  'gen_ai.evaluation.score.value': 'double',
  'gen_ai.input.messages': 'string',
  'gen_ai.operation.name': 'string',
  'gen_ai.output.messages': 'string',
  'gen_ai.output.type': 'string',
  'gen_ai.provider.name': 'string',
  'gen_ai.request.max_tokens': 'int',
  'gen_ai.request.model': 'string',
  'gen_ai.request.reasoning.level': 'string',
  'gen_ai.request.seed': 'int',
  'gen_ai.request.stop_sequences': 'string[]',
  'gen_ai.request.temperature': 'double',
  'gen_ai.request.top_p': 'double',
  'gen_ai.response.finish_reasons': 'string[]',
  'gen_ai.response.id': 'string',
  'gen_ai.response.model': 'string',
  'gen_ai.tool.call.arguments': 'string',
  'gen_ai.tool.call.id': 'string',
  'gen_ai.tool.call.result': 'string',
  'gen_ai.tool.definitions': 'string',
  'gen_ai.tool.description': 'string',
  'gen_ai.tool.name': 'string',
  'gen_ai.tool.type': 'string',
  'gen_ai.usage.cache_read.input_tokens': 'int',
  'gen_ai.usage.cache_write.input_tokens': 'int',
  'gen_ai.usage.input_tokens': 'int',
  'gen_ai.usage.output_tokens': 'int',
  'gen_ai.usage.reasoning.output_tokens': 'int',
  'http.request.method': 'string',
  'http.response.status_code': 'int',
  'server.address': 'string',
  'server.port': 'int',
}
