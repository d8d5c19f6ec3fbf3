/** Reads what a ByteWriter wrote, in the same order. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  byte(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new RangeError('the data of the report end too early: the file was cut off')
    return byte
  }

  count(): number {
    let value = 0
    let weight = 1
    for (;;) {
      const byte = this.byte()
      value += (byte % 128) * weight
      if (byte < 128) return value
      weight *= 128
    }
  }

  signed(): number {
    const code = this.count()
    return code % 2 === 0 ? code / 2 : -(code + 1) / 2
  }
}
