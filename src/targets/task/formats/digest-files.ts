import { createHash, type Hash } from 'node:crypto'
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs'
import { join } from 'node:path'

const chunk = Buffer.allocUnsafe(65_536)

/**
 * The digest of all files below a folder: names, contents, and whether they are executable. Links count by their target
 * and are not followed, so that no loop and no outside file affects it. Read in pieces: data files may be large.
 */
export function digestFiles(dir: string, isLeftOut: (path: string) => boolean = () => false): string {
  const digest = createHash('sha256')
  for (const [path, entry] of entriesBelow(dir, '', isLeftOut)) {
    const file = join(dir, path)
    if (entry.isFile()) digestFile(file, path, digest)
    else digest.update(entry.isSymbolicLink() ? `link\0${path}\0${readlinkSync(file)}\0` : `other\0${path}\0`)
  }
  return digest.digest('hex')
}

/** Sorted by name, folder by folder; files left by git and Python do not count. */
function* entriesBelow(
  dir: string,
  below: string,
  isLeftOut: (path: string) => boolean,
): Generator<readonly [path: string, entry: Dirent]> {
  const entries = readdirSync(join(dir, below), { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (leftBehind.has(entry.name) || isLeftOut(path)) continue
    if (entry.isDirectory()) yield* entriesBelow(dir, path, isLeftOut)
    else yield [path, entry]
  }
}

const leftBehind = new Set(['.git', '__pycache__', '.pytest_cache', '.DS_Store'])

function digestFile(file: string, path: string, digest: Hash): void {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const { mode, size } = fstatSync(descriptor)
    digest.update(`file\0${path}\0${(mode & 0o100) === 0 ? '-' : 'x'}\0${size}\0`)
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk))
      digest.update(chunk.subarray(0, length))
  } finally {
    closeSync(descriptor)
  }
}
