/** A number that an event file holds. */
export interface Scalar {
  readonly tag: string
  readonly step: number
  readonly value: number
}

/**
 * The numbers of an Event message: for each value of its summary the `simple_value`, or the only number of its tensor.
 * Field numbers are those of event.proto, summary.proto and tensor.proto; pictures, texts and histograms are not
 * numbers.
 */
export function scalarsIn(event: Uint8Array): readonly Scalar[] {
  let step = 0
  const values: Uint8Array[] = []
  for (const { number, varint, bytes } of fieldsOf(event)) {
    if (number === 2) step = Number(BigInt.asIntN(64, varint))
    if (number === 5) for (const inner of fieldsOf(bytes)) if (inner.number === 1) values.push(inner.bytes)
  }
  return values.flatMap(value => scalarOf(value, step))
}

function scalarOf(value: Uint8Array, step: number): readonly Scalar[] {
  let tag = ''
  let found: number | null = null
  let plugin = ''
  for (const { number, wire, bytes } of fieldsOf(value)) {
    if (number === 1) tag = text(bytes)
    if (number === 2 && wire === 5) found = view(bytes).getFloat32(0, true)
    if (number === 8) found = tensorValue(bytes)
    if (number === 9) plugin = pluginOf(bytes)
  }
  const isNumber = plugin === '' || plugin === 'scalars'
  return found === null || tag === '' || !isNumber ? [] : [{ tag, step, value: found }]
}

/** SummaryMetadata.plugin_data.plugin_name: the kind of value. */
function pluginOf(metadata: Uint8Array): string {
  for (const { number, bytes } of fieldsOf(metadata))
    if (number === 1) for (const inner of fieldsOf(bytes)) if (inner.number === 1) return text(inner.bytes)
  return ''
}

/** The number of a tensor with one number; null: it has another type, or several. */
function tensorValue(tensor: Uint8Array): number | null {
  let type = 0
  let elements = 1
  let packed: { readonly type: number; readonly bytes: Uint8Array } | null = null
  for (const { number, varint, bytes } of fieldsOf(tensor)) {
    if (number === 1) type = Number(varint)
    if (number === 2) elements = elementsOf(bytes)
    if (number === 4 || number === 5 || number === 6) packed = { type: number, bytes }
    if (number === 7 || number === 10) {
      // Whole numbers: one alone, or packed.
      const whole = bytes.length > 0 ? (varintAt(bytes, 0)?.value ?? 0n) : varint
      packed = { type: number, bytes: int64(BigInt.asIntN(64, whole)) }
    }
  }
  return elements === 1 && packed !== null ? numberIn(packed.bytes, type, packed.type) : null
}

const [float, double, int32, int64Type] = [1, 2, 3, 9]

function numberIn(bytes: Uint8Array, type: number, field: number): number | null {
  const of = view(bytes)
  if (field === 7 || field === 10) return Number(of.getBigInt64(0, true))
  if (type === float && bytes.length === 4) return of.getFloat32(0, true)
  if (type === double && bytes.length === 8) return of.getFloat64(0, true)
  if (type === int32 && bytes.length === 4) return of.getInt32(0, true)
  return type === int64Type && bytes.length === 8 ? Number(of.getBigInt64(0, true)) : null
}

/** The product of its dimensions; a shape without any is of a single number. */
function elementsOf(shape: Uint8Array): number {
  let elements = 1
  for (const { number, bytes } of fieldsOf(shape)) {
    if (number !== 2) continue
    let size = 0n
    for (const inner of fieldsOf(bytes)) if (inner.number === 1) size = inner.varint
    elements *= Number(size)
  }
  return elements
}

interface Field {
  readonly number: number
  readonly wire: number
  /** For a whole number; otherwise 0. */
  readonly varint: bigint
  /** For anything else; otherwise empty. */
  readonly bytes: Uint8Array
}

/** The fields of an encoded protocol buffer message, without an incomplete last one. */
function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0
  while (at < message.length) {
    const key = varintAt(message, at)
    if (key === null) return
    const [number, wire] = [Number(key.value >> 3n), Number(key.value & 7n)]
    at = key.end
    if (wire === 0) {
      const found = varintAt(message, at)
      if (found === null) return
      yield { number, wire, varint: found.value, bytes: nothing }
      at = found.end
      continue
    }
    const length = wire === 2 ? varintAt(message, at) : null
    const [start, size] =
      wire === 1 ? [at, 8] : wire === 5 ? [at, 4] : [length?.end ?? message.length, Number(length?.value ?? -1n)]
    if (size < 0 || start + size > message.length) return
    yield { number, wire, varint: 0n, bytes: message.subarray(start, start + size) }
    at = start + size
  }
}

const nothing = new Uint8Array(0)

function varintAt(bytes: Uint8Array, start: number): { readonly value: bigint; readonly end: number } | null {
  let value = 0n
  for (let at = start, shift = 0n; at < bytes.length && shift < 70n; at++, shift += 7n) {
    const byte = bytes[at] ?? 0
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return { value, end: at + 1 }
  }
  return null
}

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function int64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}

const decoder = new TextDecoder()
const text = (bytes: Uint8Array): string => decoder.decode(bytes)
