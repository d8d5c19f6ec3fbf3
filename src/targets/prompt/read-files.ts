import { extname } from 'node:path'
import { matchFiles, placesText, readSource, resolvePath } from '../../define/read-files.ts'
import { AssayError } from '../../util/errors.ts'
import type { Json } from '../../util/json.ts'
import { type Places, textIn } from './cases/read-cases.ts'

export const filePrefix = 'file://'
export const isFile = (written: string): boolean => written.startsWith(filePrefix)

/**
 * The path of `file://notes.txt`; a file with code, a picture or the like is refused, because its text is not what the
 * user means.
 */
export function pathIn(written: string): string {
  const path = written.slice(filePrefix.length)
  const kind = kindOf(path)
  if (kind === null) return path
  throw new AssayError('config', `${path}: ${kind.what}`, { hint: kind.hint })
}

const code = /\.(?:[cm]?[jt]sx?|py|rb|sh|go)(?::[\w.]+)?$/i

function kindOf(path: string): { readonly what: string; readonly hint: string } | null {
  if (code.test(path))
    return {
      what: 'code is not run here, and its text is not what is meant',
      hint: 'write a template ({{variables}}, {% if %}), or save what the code gives as a text file',
    }
  if (/\.(?:pdf|docx?|png|jpe?g|gif|webp|mp[34]|wav)$/i.test(path))
    return {
      what: 'only text files are read here',
      hint: 'save its text as a .txt file',
    }
  return null
}

/** The text of `file://notes.txt`, without the line end at its end; any other text is itself. */
export function readText(written: string, places: Places): string {
  if (!isFile(written)) return written
  const path = pathIn(written)
  return textIn(resolvePath(path, places), path).replace(/\r?\n$/, '')
}

/** The content of a file: data of `.json`, `.yaml` and `.toml`, text of any other. */
export function readData(written: string, places: Places): Json {
  const path = pathIn(written)
  if (/\.(jsonc?|ya?ml|toml)$/i.test(path)) return readSource(resolvePath(path, places), places.cwd).value
  return readText(written, places)
}

/** The files that `file://parts/*.txt` matches, each as `file://…`; any other text is itself. */
export function matched(written: string, places: Places): readonly string[] {
  if (!isFile(written) || !/[*?[\]]/.test(written)) return [written]
  const pattern = written.slice(filePrefix.length)
  const found = matchFiles(pattern, places)
  if (found.length === 0) throw new AssayError('config', `${pattern}: matches no file in ${placesText(places)}`)
  return found.map(file => `${filePrefix}${file}`)
}

export const endingOf = (path: string): string => extname(path).toLowerCase()
