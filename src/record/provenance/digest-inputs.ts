import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { inputFiles, noSuchInput } from '../../define/files/paths.ts'
import { AssayError } from '../../util/errors.ts'

/**
 * SHA-256 of every declared input file, by its path relative to the configuration. A folder stands for all files in it,
 * a pattern for all it matches.
 */
export function digestInputs(inputs: readonly string[], folder: string, cwd: string): { [path: string]: string } {
  const digests: { [path: string]: string } = {}
  for (const input of inputs) {
    const files = inputFiles(input, { folder, cwd })
    if (files === null) throw new AssayError('config', `inputs: ${noSuchInput(input, { folder, cwd })}`)
    for (const file of files) digests[relative(folder, file)] = digestFile(file)
  }
  return digests
}

/** Of files that are there; those larger than 256 MB are left out, as reading them would delay every start. */
export function digestFiles(files: readonly string[], folder: string): { [path: string]: string } {
  const small = files.filter(
    file => (statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY) <= 2 ** 28,
  )
  return Object.fromEntries(small.map(file => [relative(folder, file), digestFile(file)]))
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
