/** A span as OTLP spells it in JSON (opentelemetry-proto, trace/v1); numbers of 64 bits are texts there. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly name: string
  /** 3: a client of something else. */
  readonly kind: 3
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  /** 1: fine, 2: an error. */
  readonly status: { readonly code: 1 | 2; readonly message?: string }
}

export interface Attribute {
  readonly key: string
  readonly value: AttributeValue
}

export type AttributeValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly AttributeValue[] } }

type Plain = string | number | boolean | readonly string[] | null | undefined

/** Attributes out of plain data; what is null or undefined is left out. */
export function attributesOf(data: { readonly [key: string]: Plain }): readonly Attribute[] {
  return Object.entries(data).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [{ key, value: otlpValue(value) }],
  )
}

function otlpValue(value: NonNullable<Plain>): AttributeValue {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return { arrayValue: { values: value.map(text => ({ stringValue: text })) } }
}

/** Milliseconds since 1970 in OTLP's nanoseconds. */
export const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000))}000`
