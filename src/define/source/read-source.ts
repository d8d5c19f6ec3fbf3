import { readFileSync } from 'node:fs'
import { extname, isAbsolute, resolve } from 'node:path'
import type { output, ZodType } from 'zod'
import { AssayError, messageOf, systemCode } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import { configError, parseSource, syntaxError } from '../problems.ts'
import type { Problem } from '../target.ts'
import { checkPlainData } from './check-plain-data.ts'
import { jsonSource } from './json-source.ts'
import type { Source } from './source.ts'
import { tomlSource } from './toml-source.ts'
import { yamlSource } from './yaml-source.ts'

export { examineSource, examineValue } from './examine-source.ts'

/** Whether of a key that is written twice the last one counts, by the data. */
type LastKeyCounts = (value: Json) => boolean

type Reader = (file: string, text: string, lastKeyCounts?: LastKeyCounts) => Source

const readers: Readonly<Record<string, Reader>> = {
  '.yaml': yamlSource,
  '.yml': yamlSource,
  '.json': (file, text) => jsonSource(file, text, { strict: true }),
  '.jsonc': (file, text) => jsonSource(file, text, { strict: false }),
  '.toml': tomlSource,
}

/** Reads a configuration file; its name says which language it is written in. */
export function readSource(file: string, cwd: string, lastKeyCounts?: LastKeyCounts): Source {
  const reader = readers[extname(file).toLowerCase()]
  const text = readText(file, cwd)
  if (reader === undefined)
    throw new AssayError('config', `${file}: expected a .yaml, .json, .jsonc or .toml file`, {
      hint: 'rename the file so that its ending says what it is',
    })
  if (text.trim() === '') throw syntaxError(file, 'the file is empty', null)
  const source = readSafely((name, content) => reader(name, content, lastKeyCounts), file, text)
  if (source.value === null) throw syntaxError(file, 'the file is empty', null)
  checkPlainData(source)
  return source
}

/** A file that is no experiment, as `schema` makes it; one error with all its problems, those that `check` finds among them. */
export function readChecked<S extends ZodType>(
  file: string,
  cwd: string,
  { schema, check }: { readonly schema: S; check(read: output<S>): readonly Problem[] },
): output<S> {
  const source = readSource(file, cwd)
  const read = parseSource(schema, source)
  const problems = check(read)
  if (problems.length > 0) throw configError(source, problems)
  return read
}

/** A file that is nested thousands of levels deep uses up the stack of those who read it. */
function readSafely(reader: (file: string, text: string) => Source, file: string, text: string): Source {
  try {
    return reader(file, text)
  } catch (error) {
    if (error instanceof RangeError) throw syntaxError(file, 'is nested too deeply to be read', null)
    throw error
  }
}

function readText(file: string, cwd: string): string {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(resolve(cwd, file))
  } catch (error) {
    throw unreadable(file, cwd, error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw new AssayError('config', `${file}: is not UTF-8 text`, { hint: 'save it as UTF-8', cause: error })
  }
}

function unreadable(file: string, cwd: string, cause: unknown): AssayError {
  switch (systemCode(cause)) {
    case 'ENOENT':
      return new AssayError('not_found', `${file}: no such file`, {
        ...(!isAbsolute(file) && { hint: `relative names start at the working directory, ${cwd}` }),
        cause,
      })
    case 'EISDIR':
      return new AssayError('config', `${file}: is a directory, expected a file`, {
        hint: 'name the file in it',
        cause,
      })
    case 'EACCES':
    case 'EPERM':
      return new AssayError('config', `${file}: may not be read by this user`, { cause })
    default:
      return new AssayError('config', `${file}: can't be read: ${messageOf(cause)}`, { cause })
  }
}
