/** Writes TensorBoard event files byte by byte, apart from the code that reads them. */

/** Bit by bit, so that it shares no table with the reader. */
export function checksum(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes)
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = ((crc ^ (byte >> bit)) & 1) === 1
      crc = isOdd ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1
    }
  return ~crc >>> 0
}

const masked = (crc: number): number => Number(((BigInt(crc) >> 15n) | (BigInt(crc) << 17n)) & 0xffffffffn) + 0xa282ead8

export function record(data: Uint8Array): Buffer {
  const length = Buffer.alloc(8)
  length.writeUInt32LE(data.length)
  const sum = (of: Uint8Array) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(masked(checksum(of)) % 2 ** 32)
    return bytes
  }
  return Buffer.concat([length, sum(length), data, sum(data)])
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))]

/** A field of a protocol buffer: whole numbers, or bytes. */
export const whole = (number: number, value: number): Buffer => Buffer.from([...varint(number * 8), ...varint(value)])
export const bytes = (number: number, content: Uint8Array | string): Buffer => {
  const data = Buffer.from(content as string)
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(data.length)]), data])
}
const fixed32 = (number: number, value: number): Buffer => {
  const data = Buffer.alloc(4)
  data.writeFloatLE(value)
  return Buffer.concat([Buffer.from(varint(number * 8 + 5)), data])
}
export const float = (value: number): Buffer => {
  const data = Buffer.alloc(4)
  data.writeFloatLE(value)
  return data
}

const event = (step: number, value: Uint8Array): Buffer => {
  const time = Buffer.from([9, ...Buffer.alloc(8)])
  return record(Buffer.concat([time, ...(step === 0 ? [] : [whole(2, step)]), bytes(5, bytes(1, value))]))
}

/** The head of every file, and scalars as TensorFlow 1 and PyTorch write them. */
export const head = (): Buffer =>
  record(Buffer.concat([Buffer.from([9, ...Buffer.alloc(8)]), bytes(3, 'brain.Event:2')]))
export const simple = (step: number, tag: string, value: number): Buffer =>
  event(step, Buffer.concat([bytes(1, tag), fixed32(2, value)]))

/** A tensor, as TensorFlow 2 writes scalars and everything else. */
export const tensor = (step: number, tag: string, proto: Uint8Array, plugin = 'scalars'): Buffer =>
  event(step, Buffer.concat([bytes(1, tag), bytes(9, bytes(1, bytes(1, plugin))), bytes(8, proto)]))
