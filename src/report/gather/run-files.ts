import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunFile } from '../dataset/dataset.ts'

/** Files of one run, and of all: a list that nobody can read through is not worth its room. */
const mostOfOne = 60
const mostOfAll = 30_000
const deepest = 3

export interface FilesOfRuns {
  readonly lists: readonly (readonly RunFile[] | null)[]
  readonly isWhole: boolean
}

/** What lies in each run's folder, sorted by path. */
export function filesOf(folders: readonly (string | null)[]): FilesOfRuns {
  let room = mostOfAll
  const lists = folders.map(folder => {
    if (folder === null || room <= 0) return null
    const files = [...filesUnder(folder, '', deepest)].slice(0, mostOfOne)
    room -= files.length
    return files
  })
  return { lists, isWhole: lists.every((list, at) => list !== null || folders[at] === null) }
}

function* filesUnder(folder: string, prefix: string, depth: number): Generator<RunFile> {
  for (const entry of entriesOf(join(folder, prefix))) {
    const path = `${prefix}${entry.name}`
    if (entry.isDirectory() && depth > 1) yield* filesUnder(folder, `${path}/`, depth - 1)
    else if (entry.isFile()) yield { path, bytes: statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0 }
  }
}

/** A folder that is gone holds nothing. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
