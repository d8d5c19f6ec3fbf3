const inItsPlace = Buffer.from('[key]')

/**
 * Removes a key from streamed bytes, even if it is split between two chunks: only a possible beginning of the key waits
 * for the next chunk.
 */
export class WithoutKey {
  readonly #spellings: readonly Buffer[]
  #held: Buffer = Buffer.alloc(0)

  constructor(keys: readonly string[]) {
    const spellings = keys.flatMap(key => [key, JSON.stringify(key).slice(1, -1)])
    this.#spellings = [...new Set(spellings)].filter(key => key !== '').map(key => Buffer.from(key))
  }

  take(chunk: Uint8Array): Uint8Array {
    if (this.#spellings.length === 0) return chunk
    let bytes =
      this.#held.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        : joined(this.#held, chunk)
    for (const key of this.#spellings) bytes = without(key, bytes)
    const held = Math.max(...this.#spellings.map(key => beginningAtEnd(key, bytes)))
    this.#held = Buffer.from(bytes.subarray(bytes.length - held))
    return bytes.subarray(0, bytes.length - held)
  }

  /** The bytes that were still waiting. */
  end(): Uint8Array {
    const rest = this.#held
    this.#held = Buffer.alloc(0)
    return rest
  }
}

const joined = (first: Uint8Array, second: Uint8Array): Buffer => Buffer.concat([first, second])

function without(key: Buffer, bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (let at = bytes.indexOf(key); at >= 0; at = bytes.indexOf(key, from)) {
    parts.push(bytes.subarray(from, at), inItsPlace)
    from = at + key.length
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)])
}

/** How many bytes at the end are a beginning of the key. */
function beginningAtEnd(key: Buffer, bytes: Buffer): number {
  for (let length = Math.min(key.length - 1, bytes.length); length > 0; length--)
    if (bytes.subarray(bytes.length - length).equals(key.subarray(0, length))) return length
  return 0
}
