import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { matchFiles, resolvePath } from '../../define/read-files.ts'
import { sha256 } from '../../util/hash.ts'

/** Larger files are data that is not edited by hand; they are watched, but not searched for names of other files. */
const mostSearched = 1_000_000
const mostFiles = 500

export interface WatchedFiles {
  /** The content digest by absolute path; null: it can't be read. */
  readonly digests: ReadonlyMap<string, string | null>
  /** Their folders: an editor that saves by renaming makes a new file there. */
  readonly folders: readonly string[]
}

/**
 * The experiment's file and all files that it names: prompts, cases, schemas, functions, and what these name in turn.
 * Any word that looks like the name of an existing file counts; a file too many costs nothing.
 */
export function watchedFiles(experimentFile: string, cwd: string): WatchedFiles {
  const first = resolve(cwd, experimentFile)
  const places = { folder: dirname(first), cwd }
  const digests = new Map<string, string | null>()
  const folders = new Set<string>()
  const queue = [first]
  for (let file = queue.shift(); file !== undefined && digests.size < mostFiles; file = queue.shift()) {
    if (digests.has(file)) continue
    const text = textOf(file)
    digests.set(file, text === null ? null : sha256(text))
    folders.add(dirname(file))
    if (text === null || text.length > mostSearched) continue
    for (const name of namesIn(text)) {
      const found = filesNamed(name, places)
      queue.push(...found)
      // A pattern may match another file tomorrow.
      if (isPattern(name)) folders.add(resolve(places.folder, name.replace(/[^/]*[*?[].*$/, '')))
    }
  }
  return { digests, folders: [...folders].filter(isFolder) }
}

export const changedSince = (before: WatchedFiles, now: WatchedFiles): readonly string[] =>
  [...new Set([...before.digests.keys(), ...now.digests.keys()])].filter(
    file => before.digests.get(file) !== now.digests.get(file),
  )

/** Words that could be a path: they contain a dot or a slash, and no characters that paths rarely have. */
function* namesIn(text: string): Generator<string> {
  const seen = new Set<string>()
  for (const [word] of text.matchAll(/[^\s"'`,;(){}<>|]*[./][^\s"'`,;(){}<>|]*/g)) {
    const name = word.replace(/^file:\/\//, '').replace(/(\.[cm]?[jt]s):[\w$]+$/, '$1')
    if (name.length > 200 || /^[\d.]+$|:\/\//.test(name) || seen.has(name)) continue
    seen.add(name)
    yield name
  }
}

const isPattern = (name: string): boolean => /[*?]/.test(name)

function filesNamed(name: string, places: { readonly folder: string; readonly cwd: string }): readonly string[] {
  if (isPattern(name)) {
    // A pattern that starts at the root, or matches everything, does not belong to an experiment.
    if (isAbsolute(name) || name.includes('**') || !/[\w-]/.test(name)) return []
    return matchFiles(name, places)
      .slice(0, mostFiles)
      .map(file => resolvePath(file, places))
      .filter(isFile)
  }
  const file = resolvePath(name, places)
  return isFile(file) ? [file] : []
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return null
  }
}
