import { closeSync, mkdirSync, readSync, type Stats, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Left } from '../box.ts'
import type { SafeFolder } from './safe-folder.ts'
import { kindOf, takeOut } from './take-out.ts'

/** The same folder at two times. */
export interface Versions {
  /** null: there was none. */
  readonly before: SafeFolder | null
  readonly after: SafeFolder | null
  /** Where the changes were written, if that is known: only files there are compared. */
  readonly written: SafeFolder | null
}

/** Copies the differing files of two versions of a folder side by side, for git to compare. */
export class Collecting {
  readonly left: Left[] = []
  readonly #before: string
  readonly #after: string
  #room: number

  constructor(before: string, after: string, mostBytes: number) {
    this.#before = before
    this.#after = after
    this.#room = mostBytes
  }

  collect({ before, after, written }: Versions, path = ''): void {
    const then = new Set(before?.names() ?? [])
    const now = new Set(after?.names() ?? [])
    for (const name of then) if (!now.has(name) && name !== '.git') this.#copy(before, name, path, this.#before)
    for (const name of written?.names() ?? now) {
      if (!now.has(name) || name === '.git') continue
      const was = before?.look(name)
      const is = after?.look(name)
      if (is?.isDirectory()) {
        if (was !== undefined && !was.isDirectory()) this.#copy(before, name, path, this.#before)
        this.#enter({ before, after, written }, name, path)
      } else if (!isSame(before, after, name)) this.#copyBoth({ before, after }, name, path)
    }
  }

  /** Both or none: a patch with one side only would show an added or deleted file. */
  #copyBoth({ before, after }: Pick<Versions, 'before' | 'after'>, name: string, path: string): void {
    const bytes = fileBytes(before?.look(name)) + fileBytes(after?.look(name))
    if (bytes > this.#room) return void this.left.push({ path: join(path, name), why: `too large (${bytes} bytes)` })
    this.#copy(before, name, path, this.#before)
    this.#copy(after, name, path, this.#after)
  }

  #enter({ before, after, written }: Versions, name: string, path: string): void {
    const below: Versions = {
      before: before?.folder(name) ?? null,
      after: after?.folder(name) ?? null,
      written: written?.folder(name) ?? null,
    }
    try {
      this.collect(below, join(path, name))
    } finally {
      for (const folder of Object.values(below)) folder?.close()
    }
  }

  #copy(folder: SafeFolder | null, name: string, path: string, to: string): void {
    const found = folder?.look(name)
    if (folder === null || found === undefined) return
    const target = join(to, path, name)
    if (found.isSymbolicLink()) {
      mkdirSync(join(to, path), { recursive: true })
      symlinkSync(folder.link(name), target)
    } else if (found.isDirectory()) this.#copyFolder(folder, name, path, to)
    else if (found.isFile()) this.#copyFile(folder, name, join(path, name), target)
    else this.left.push({ path: join(path, name), why: kindOf(found) })
  }

  #copyFolder(parent: SafeFolder, name: string, path: string, to: string): void {
    const folder = parent.folder(name)
    try {
      for (const child of folder?.names() ?? []) if (child !== '.git') this.#copy(folder, child, join(path, name), to)
    } finally {
      folder?.close()
    }
  }

  #copyFile(folder: SafeFolder, name: string, path: string, target: string): void {
    const { bytes, left } = takeOut(folder, `/${name}`, target, this.#room)
    this.#room -= bytes
    this.left.push(...left.map(({ why }) => ({ path, why })))
  }
}

const fileBytes = (found: Stats | undefined): number => (found?.isFile() ? found.size : 0)

function isSame(before: SafeFolder | null, after: SafeFolder | null, name: string): boolean {
  const was = before?.look(name)
  const is = after?.look(name)
  if (!was?.isFile() || !is?.isFile() || was.size !== is.size || (was.mode & 0o111) !== (is.mode & 0o111)) return false
  const [one, other] = [before?.openFile(name), after?.openFile(name)]
  try {
    return one != null && other != null && hasSameBytes(one.descriptor, other.descriptor)
  } finally {
    for (const file of [one, other]) if (file != null) closeSync(file.descriptor)
  }
}

function hasSameBytes(one: number, other: number): boolean {
  const [left, right] = [Buffer.alloc(pieceBytes), Buffer.alloc(pieceBytes)]
  for (;;) {
    const length = readSync(one, left)
    if (length !== readSync(other, right) || !left.subarray(0, length).equals(right.subarray(0, length))) return false
    if (length === 0) return true
  }
}

const pieceBytes = 65_536
