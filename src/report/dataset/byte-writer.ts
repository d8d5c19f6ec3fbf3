/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes = new Uint8Array(1 << 16)
  #length = 0

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length)
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes[this.#length++] = value
  }

  /** A whole number, 0 or more: seven bits a byte, the last one without its eighth bit. */
  count(value: number): void {
    let rest = value
    while (rest >= 128) {
      this.byte((rest % 128) + 128)
      rest = Math.floor(rest / 128)
    }
    this.byte(rest)
  }

  /** A whole number with its sign in the lowest bit, so that small ones of either sign are short. */
  signed(value: number): void {
    this.count(value < 0 ? -2 * value - 1 : 2 * value)
  }

  take(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}
