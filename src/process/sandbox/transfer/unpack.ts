import { closeSync, writeSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import type { Readable } from 'node:stream'
import { makeFolders } from '../../../util/files.ts'
import type { CopiedOut, Left } from '../box.ts'
import { SafeFolder } from './safe-folder.ts'

interface Unpacking {
  /** The packed path in the box: its last name is the first of every name in the archive. */
  readonly path: string
  /** The destination on the host. */
  readonly to: string
  readonly mostBytes: number
  /** Whether links are made, as links. */
  readonly keepsLinks: boolean
}

/** Reads a tar archive that a box may have had a hand in: names lead nowhere but below `to`, and only files come out. */
export async function unpack(stream: Readable, { path, to, mostBytes, keepsLinks }: Unpacking): Promise<CopiedOut> {
  makeFolders(dirname(to))
  const parent = SafeFolder.open(dirname(to))
  if (parent === null) throw new Error(`${dirname(to)} is no folder`)
  const left: Left[] = []
  let files = 0
  let bytes = 0
  let isEmpty = true
  const reader = new Blocks(stream)
  try {
    for await (const entry of entriesOf(reader)) {
      isEmpty = false
      const below = posix.normalize(`/${entry.name}`).split('/').filter(Boolean).slice(1)
      const place = [basename(to), ...below]
      const shown = join(path, ...below)
      if (entry.kind === 'folder') parent.make(place.join('/')).close()
      else if (entry.kind === 'link' && keepsLinks)
        inFolder(parent, place, (at, name) => at.createLink(name, entry.target))
      else if (entry.kind !== 'file') left.push({ path: shown, why: entry.kind === 'link' ? 'a link' : entry.why })
      else if (bytes + entry.size > mostBytes) left.push({ path: shown, why: `too large (${entry.size} bytes)` })
      else {
        bytes += entry.size
        files += 1
        const folder = parent.make(join('/', ...place.slice(0, -1)))
        const descriptor = folder.createFile(place.at(-1) ?? '', (entry.mode & 0o755) | 0o600)
        try {
          for await (const chunk of entry.content()) writeSync(descriptor, chunk)
        } finally {
          closeSync(descriptor)
          folder.close()
        }
      }
    }
  } finally {
    parent.close()
    stream.destroy()
  }
  if (isEmpty) left.push({ path, why: 'not there' })
  return { files, bytes, left }
}

function inFolder(parent: SafeFolder, place: readonly string[], use: (folder: SafeFolder, name: string) => void): void {
  const folder = parent.make(join('/', ...place.slice(0, -1)))
  try {
    use(folder, place.at(-1) ?? '')
  } finally {
    folder.close()
  }
}

type Entry = { readonly name: string } & (
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other'; readonly why: string }
  | { readonly kind: 'file'; readonly size: number; readonly mode: number; content(): AsyncIterable<Buffer> }
)

/** POSIX.1-2001 archives with the additions of GNU for long names. */
async function* entriesOf(blocks: Blocks): AsyncGenerator<Entry> {
  let long: { name?: string; target?: string } = {}
  for (;;) {
    const header = await blocks.take(blockBytes)
    // Two empty blocks are the end.
    if (header.length < blockBytes || header[0] === 0) return
    const size = numberAt(header, 124, 12)
    const type = String.fromCharCode(header[156] ?? 0)
    const padding = (blockBytes - (size % blockBytes)) % blockBytes
    if ('LKxg'.includes(type)) {
      const text = (await blocks.take(size + padding)).subarray(0, size).toString('utf8')
      if (type === 'L') long = { ...long, name: text.replace(/\0.*$/s, '') }
      if (type === 'K') long = { ...long, target: text.replace(/\0.*$/s, '') }
      if (type === 'x') long = { ...long, ...paxNames(text) }
      continue
    }
    const prefix = textAt(header, 345, 155)
    const plain = textAt(header, 0, 100)
    const name = long.name ?? (textAt(header, 257, 5) === 'ustar' && prefix !== '' ? `${prefix}/${plain}` : plain)
    const target = long.target ?? textAt(header, 157, 100)
    long = {}
    let rest = size
    if (type === '5') yield { kind: 'folder', name }
    else if (type === '2') yield { kind: 'link', name, target }
    else if (type === '0' || type === '\0')
      yield {
        kind: 'file',
        name,
        size,
        mode: numberAt(header, 100, 8),
        async *content() {
          while (rest > 0) {
            const chunk = await blocks.take(Math.min(rest, 1 << 20))
            if (chunk.length === 0) return
            rest -= chunk.length
            yield chunk
          }
        },
      }
    else yield { kind: 'other', name, why: kinds[type] ?? 'a device' }
    await blocks.skip(rest + padding)
  }
}

const blockBytes = 512
const kinds: Readonly<Record<string, string>> = {
  '1': 'a second name of a file',
  '6': 'a pipe',
  '3': 'a device',
  '4': 'a device',
}

const textAt = (block: Buffer, from: number, length: number): string =>
  block
    .subarray(from, from + length)
    .toString('utf8')
    .replace(/\0.*$/s, '')

const numberAt = (block: Buffer, from: number, length: number): number => {
  // Sizes beyond 8 GB are written in binary.
  if (((block[from] ?? 0) & 0x80) !== 0) return Number(block.readBigUInt64BE(from + length - 8))
  return Number.parseInt(textAt(block, from, length).trim() || '0', 8)
}

/** `27 path=some/name\n`, with its own length first. */
function paxNames(text: string): { name?: string; target?: string } {
  const found = [...text.matchAll(/^\d+ (path|linkpath)=(.*)$/gm)]
  const value = (key: string) => found.findLast(([, name]) => name === key)?.[2]
  const [name, target] = [value('path'), value('linkpath')]
  return { ...(name === undefined ? {} : { name }), ...(target === undefined ? {} : { target }) }
}

/** A stream, read by numbers of bytes. */
class Blocks {
  readonly #chunks: AsyncIterator<Buffer>
  #buffer: Buffer = Buffer.alloc(0)

  constructor(stream: Readable) {
    this.#chunks = stream[Symbol.asyncIterator]()
  }

  /** Fewer only at the end. */
  async take(bytes: number): Promise<Buffer> {
    const parts = [this.#buffer]
    let length = this.#buffer.length
    while (length < bytes) {
      const { value, done } = await this.#chunks.next()
      if (done === true) break
      parts.push(value)
      length += value.length
    }
    const all = parts.length === 1 ? this.#buffer : Buffer.concat(parts)
    this.#buffer = all.subarray(bytes)
    return all.subarray(0, bytes)
  }

  async skip(bytes: number): Promise<void> {
    for (let rest = bytes; rest > 0; ) {
      const skipped = (await this.take(Math.min(rest, 1 << 20))).length
      if (skipped === 0) return
      rest -= skipped
    }
  }
}
