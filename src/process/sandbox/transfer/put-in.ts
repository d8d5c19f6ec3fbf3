import { closeSync, fchmodSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, writeSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import type { SafeFolder } from './safe-folder.ts'

/** Copies a file or folder of the host to an absolute path below `root`, whatever a box has put there. */
export function putIn(root: SafeFolder, from: string, asked: string): void {
  const path = posix.resolve('/', asked)
  const folder = root.make(dirname(path))
  try {
    put(folder, from, basename(path) === '' ? '.' : basename(path))
  } finally {
    folder.close()
  }
}

function put(folder: SafeFolder, from: string, name: string): void {
  const found = lstatSync(from)
  if (found.isDirectory()) putFolder(folder, from, name)
  else if (found.isSymbolicLink()) {
    folder.createLink(name, readlinkSync(from))
  } else if (found.isFile()) putFile(folder, from, name, found.mode & 0o7777)
}

function putFolder(parent: SafeFolder, from: string, name: string): void {
  const folder = parent.make(name)
  try {
    for (const child of readdirSync(from)) put(folder, join(from, child), child)
  } finally {
    folder.close()
  }
}

function putFile(folder: SafeFolder, from: string, name: string, mode: number): void {
  const source = openSync(from, 'r')
  const target = folder.createFile(name, mode)
  const buffer = Buffer.alloc(1 << 18)
  try {
    for (let length = -1; length !== 0; ) {
      length = readSync(source, buffer, 0, buffer.length, null)
      writeSync(target, buffer, 0, length)
    }
    // The mask of this process must not decide it.
    fchmodSync(target, mode)
  } finally {
    closeSync(target)
    closeSync(source)
  }
}
