import { createHash } from 'node:crypto'
import { closeSync, globSync, openSync, readSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, resolve } from 'node:path'
import { AssayError } from '../../util/errors.ts'

/**
 * SHA-256 of every declared input file, by its path relative to the configuration. A folder stands for all files in it,
 * a pattern for all it matches.
 */
export function digestInputs(inputs: readonly string[], folder: string, cwd: string): { [path: string]: string } {
  const digests: { [path: string]: string } = {}
  for (const input of inputs)
    for (const file of filesOf(input, folder, cwd)) digests[relative(folder, file)] = digestFile(file)
  return digests
}

/** Of files that are there; those larger than 256 MB are left out, as reading them would delay every start. */
export function digestFiles(files: readonly string[], folder: string): { [path: string]: string } {
  const small = files.filter(
    file => (statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) <= 2 ** 28,
  )
  return Object.fromEntries(small.map(file => [relative(folder, file), digestFile(file)]))
}

function filesOf(input: string, folder: string, cwd: string): string[] {
  for (const base of isAbsolute(input) ? [''] : [folder, cwd]) {
    const path = base === '' ? input : resolve(base, input)
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile()) return [path]
    if (stat?.isDirectory()) return filesMatching(join(path, '**', '*'))
    const matched = filesMatching(path)
    if (matched.length > 0) return matched
  }
  throw new AssayError('config', `inputs: "${input}" matches no file in ${folder} or ${cwd}`, {
    hint: 'Paths are relative to the configuration file.',
  })
}

function filesMatching(pattern: string): string[] {
  return globSync(pattern)
    .filter(path => statSync(path).isFile())
    .sort()
}

function digestFile(file: string): string {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(1 << 20)
  const descriptor = openSync(file, 'r')
  try {
    for (let read = readSync(descriptor, buffer); read > 0; read = readSync(descriptor, buffer))
      hash.update(buffer.subarray(0, read))
  } finally {
    closeSync(descriptor)
  }
  return hash.digest('hex')
}
