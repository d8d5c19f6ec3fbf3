import { createHash } from 'node:crypto'
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { join } from 'node:path'

const chunk = Buffer.allocUnsafe(65_536)

/**
 * The digest of all files below a folder: names, contents, and whether they may be executed. Links count by where they
 * point and are not followed, so that no loop and no file outside decides. Read in pieces: data files may be large.
 */
export function digestFiles(dir: string, isLeftOut: (path: string) => boolean = () => false): string {
  const digest = createHash('sha256')
  for (const path of pathsBelow(dir, '', isLeftOut)) {
    const file = join(dir, path)
    const found = lstatSync(file)
    const isExecutable = (found.mode & 0o100) !== 0
    if (found.isSymbolicLink()) digest.update(`link\0${path}\0${readlinkSync(file)}\0`)
    else if (found.isFile()) {
      digest.update(`file\0${path}\0${isExecutable ? 'x' : '-'}\0${found.size}\0`)
      readInto(file, piece => digest.update(piece))
    } else digest.update(`other\0${path}\0`)
  }
  return digest.digest('hex')
}

/** Sorted by name, folder by folder; what git and Python leave behind decides nothing. */
function* pathsBelow(dir: string, below: string, isLeftOut: (path: string) => boolean): Generator<string> {
  const entries = readdirSync(join(dir, below), { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (leftBehind.has(entry.name) || isLeftOut(path)) continue
    if (entry.isDirectory()) yield* pathsBelow(dir, path, isLeftOut)
    else yield path
  }
}

const leftBehind = new Set(['.git', '__pycache__', '.pytest_cache', '.DS_Store'])

function readInto(file: string, use: (piece: Uint8Array) => void): void {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk))
      use(chunk.subarray(0, length))
  } finally {
    closeSync(descriptor)
  }
}
