import { readSync } from 'node:fs'

/** A record that does not match its checksum; later records can't be trusted. */
export class CorruptRecord extends Error {}

/**
 * The records of a TFRecord file, one at a time: their length, a checksum of it, the data, a checksum of that (see
 * tensorflow/core/lib/io/record_writer.h). A last record that is not all there yet is not one: the file may be growing, or
 * its writer was killed.
 */
export function* recordsIn(descriptor: number, size: number): Generator<Uint8Array> {
  const head = Buffer.alloc(headBytes)
  let at = 0
  for (let number = 1; at + headBytes <= size; number++) {
    if (readSync(descriptor, head, 0, headBytes, at) < headBytes) return
    check(head.subarray(0, 8), head.readUInt32LE(8), number, at)
    const length = Number(head.readBigUInt64LE(0))
    if (at + headBytes + length + 4 > size) return
    const body = Buffer.alloc(length + 4)
    if (readSync(descriptor, body, 0, body.length, at + headBytes) < body.length) return
    const data = body.subarray(0, length)
    check(data, body.readUInt32LE(length), number, at)
    yield data
    at += headBytes + length + 4
  }
}

const headBytes = 12

function check(bytes: Uint8Array, stored: number, number: number, at: number): void {
  if (masked(crc32c(bytes)) === stored) return
  throw new CorruptRecord(`record ${number} at byte ${at} is corrupt: its checksum does not match`)
}

/** A checksum of data that contains checksums is rotated and shifted. */
const masked = (crc: number): number => (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0

/** CRC-32C (Castagnoli, polynomial 0x1EDC6F41, reflected) as in RFC 3720, appendix B.4. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const table = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value >>> 0
})
