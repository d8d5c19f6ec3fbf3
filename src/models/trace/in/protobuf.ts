import type { Json, JsonObject } from '../../../util/json.ts'

/**
 * Requests of OTLP/HTTP in Protobuf's binary form (https://protobuf.dev/programming-guides/encoding/), as the JSON that
 * OTLP has for them: ids in hexadecimal, numbers of 64 bits as texts. Fields that are not in the tables are left out.
 */
export function traceRequestOf(bytes: Buffer): JsonObject {
  return messageIn(new Reader(bytes), 'request', 0)
}

type Scalar = 'text' | 'hex' | 'base64' | 'number' | 'boolean' | 'int64' | 'fixed64' | 'fixed32' | 'double'

interface Field {
  readonly name: string
  readonly type: Scalar | MessageName
  readonly isList: boolean
}

/** opentelemetry-proto 1.10: collector/trace/v1, trace/v1, resource/v1, common/v1. A star marks lists. */
const messages = {
  request: { 1: 'resourceSpans* resourceSpans' },
  resourceSpans: { 1: 'resource resource', 2: 'scopeSpans* scopeSpans', 3: 'schemaUrl text' },
  resource: { 1: 'attributes* keyValue' },
  scopeSpans: { 1: 'scope scope', 2: 'spans* span', 3: 'schemaUrl text' },
  scope: { 1: 'name text', 2: 'version text', 3: 'attributes* keyValue' },
  span: {
    1: 'traceId hex',
    2: 'spanId hex',
    3: 'traceState text',
    4: 'parentSpanId hex',
    5: 'name text',
    6: 'kind number',
    7: 'startTimeUnixNano fixed64',
    8: 'endTimeUnixNano fixed64',
    9: 'attributes* keyValue',
    11: 'events* event',
    13: 'links* link',
    15: 'status status',
    16: 'flags fixed32',
  },
  event: { 1: 'timeUnixNano fixed64', 2: 'name text', 3: 'attributes* keyValue' },
  link: { 1: 'traceId hex', 2: 'spanId hex', 3: 'traceState text', 4: 'attributes* keyValue' },
  status: { 2: 'message text', 3: 'code number' },
  keyValue: { 1: 'key text', 2: 'value anyValue' },
  anyValue: {
    1: 'stringValue text',
    2: 'boolValue boolean',
    3: 'intValue int64',
    4: 'doubleValue double',
    5: 'arrayValue arrayValue',
    6: 'kvlistValue kvlistValue',
    7: 'bytesValue base64',
  },
  arrayValue: { 1: 'values* anyValue' },
  kvlistValue: { 1: 'values* keyValue' },
} as const
type MessageName = keyof typeof messages

const isMessage = (type: string): type is MessageName => Object.hasOwn(messages, type)

const fields = new Map<MessageName, ReadonlyMap<number, Field>>()
for (const [message, written] of Object.entries(messages)) {
  const table = Object.entries(written).map(([number, text]) => {
    const [name = '', type = ''] = text.split(' ')
    const field = { name: name.replace('*', ''), type: type as Field['type'], isList: name.endsWith('*') }
    return [Number(number), field] as const
  })
  fields.set(message as MessageName, new Map(table))
}

/** Values may contain values; real ones are never nested this deep. */
const mostDeep = 64

function messageIn(reader: Reader, name: MessageName, depth: number): JsonObject {
  if (depth > mostDeep) throw new Error('is nested too deep')
  const made: Record<string, Json> = {}
  const known = fields.get(name)
  while (!reader.isAtEnd) {
    const tag = reader.varint()
    const field = known?.get(Number(tag >> 3n))
    const wire = Number(tag & 7n)
    const value = field === undefined ? reader.skip(wire) : valueIn(reader, field, wire, depth)
    if (field === undefined || value === undefined) continue
    if (!field.isList) made[field.name] = value
    else {
      const list = made[field.name]
      if (Array.isArray(list)) (list as Json[]).push(value)
      else made[field.name] = [value]
    }
  }
  return made
}

/** undefined: it came in an invalid form, and was left out. */
function valueIn(reader: Reader, { type }: Field, wire: number, depth: number): Json | undefined {
  if (wire !== wireOf(type)) return reader.skip(wire)
  if (isMessage(type)) return messageIn(new Reader(reader.bytes()), type, depth + 1)
  switch (type) {
    case 'text':
      return reader.bytes().toString('utf8')
    case 'hex':
      return reader.bytes().toString('hex')
    case 'base64':
      return reader.bytes().toString('base64')
    case 'number':
      return Number(BigInt.asIntN(32, reader.varint()))
    case 'boolean':
      return reader.varint() !== 0n
    case 'int64':
      return String(BigInt.asIntN(64, reader.varint()))
    case 'fixed64':
      return String(reader.take(8).readBigUInt64LE())
    case 'fixed32':
      return reader.take(4).readUInt32LE()
    case 'double': {
      const value = reader.take(8).readDoubleLE()
      return Number.isFinite(value) ? value : String(value)
    }
  }
}

function wireOf(type: Field['type']): number {
  switch (type) {
    case 'number':
    case 'boolean':
    case 'int64':
      return 0
    case 'fixed64':
    case 'double':
      return 1
    case 'fixed32':
      return 5
    default:
      return 2
  }
}

class Reader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  take(count: number): Buffer {
    const end = this.#at + count
    if (end > this.#bytes.length) throw new Error('ends in the middle of a field')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }

  varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.take(1)[0] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asUintN(64, value)
    }
    throw new Error('has a number of more than 64 bits')
  }

  bytes(): Buffer {
    const length = this.varint()
    if (length > BigInt(this.#bytes.length)) throw new Error('ends in the middle of a field')
    return this.take(Number(length))
  }

  skip(wire: number): undefined {
    switch (wire) {
      case 0:
        this.varint()
        return
      case 1:
        this.take(8)
        return
      case 2:
        this.bytes()
        return
      case 5:
        this.take(4)
        return
      default:
        throw new Error(`has a field of wire type ${wire}`)
    }
  }
}

/** `ExportTraceServiceResponse`, or `google.rpc.Status`: one or two fields, written by hand. */
export function partialSuccessBytes(rejected: number, message: string): Buffer {
  if (rejected === 0) return Buffer.alloc(0)
  const inner = Buffer.concat([Buffer.from([0x08]), varintOf(rejected), textField(2, message)])
  return Buffer.concat([Buffer.from([0x0a]), varintOf(inner.length), inner])
}

export const statusBytes = (message: string): Buffer => textField(2, message)

function textField(number: number, text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([(number << 3) | 2]), varintOf(bytes.length), bytes])
}

function varintOf(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.from(bytes)
}
