import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Io } from './io.ts'

/** The file to write that an option names. A missing folder is created, with a message, as it may be mistyped. */
export function namedFile(name: string, io: Pick<Io, 'cwd' | 'stderr'>): string {
  const file = resolve(io.cwd, name)
  const folder = dirname(file)
  if (!existsSync(folder)) io.stderr.write(`${folder} does not exist yet and will be created\n`)
  return file
}
