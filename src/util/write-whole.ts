import { renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AssayError, messageOf } from './errors.ts'
import { makeFolders } from './make-folders.ts'

/** All of it or nothing: a file that is read while it is written would look shorter than it is. */
export function writeWhole(file: string, content: string | Uint8Array): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new AssayError('cannot_write', `can't write ${file}: it is a folder`, { hint: 'name a file in it' })
  try {
    makeFolders(dirname(file))
    writeFileSync(`${file}.tmp`, content)
    renameSync(`${file}.tmp`, file)
  } catch (error) {
    throw new AssayError('cannot_write', `can't write ${file}: ${messageOf(error)}`, {
      cause: error,
      hint: 'Name a file in a place of your own; --help shows with which option.',
    })
  }
}
