import { existsSync, lstatSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { runFolder } from '../../record/places.ts'
import { AssayError, systemCode } from '../../util/errors.ts'
import { makeFolders, writeWhole } from '../../util/files.ts'
import type { ExperimentView, FileText, FolderLink, Layout, Roots } from './layout.ts'

/** What one process has written of a layout, so that it is not written again while nothing changes. */
export interface Written {
  /** Attempts whose runs have their own files. */
  readonly attempts: Set<string>
  /** By path: the text last written there. */
  readonly texts: Map<string, string>
  readonly links: Set<string>
  /** Runs whose folders were deleted. */
  readonly removed: Set<string>
}

export const nothingWritten = (): Written => ({
  attempts: new Set(),
  texts: new Map(),
  links: new Set(),
  removed: new Set(),
})

/**
 * A run's own files are written once for each of its attempts, and once more by each process, which may come after a
 * crash. Other files are not rewritten if this process wrote the same text last, except at the end: `isEnd`.
 */
export function writeFiles(layout: Layout, view: ExperimentView, written: Written, isEnd: boolean): void {
  const { dir, runs } = view
  if (layout.ofRun !== undefined)
    for (const recorded of runs) {
      const attempt = `${recorded.name} ${recorded.attempts.length}`
      if (recorded.ended_at === null || written.attempts.has(attempt)) continue
      const run_dir = runFolder(dir, recorded.name)
      for (const { path, text } of layout.ofRun(recorded, { run_dir, out_dir: join(run_dir, 'out') }))
        writeWhole(join(run_dir, path), text)
      written.attempts.add(attempt)
    }
  const roots = layout.roots?.(view) ?? {}
  for (const file of [...layout.ofExperiment(view), ...(isEnd ? (layout.atEnd?.(view) ?? []) : [])]) {
    const path = placeOf(file, dir, roots)
    if (!isEnd && written.texts.get(path) === file.text) continue
    writeWhole(path, file.text)
    written.texts.set(path, file.text)
  }
  for (const link of layout.links?.(view) ?? []) makeLink(link, roots, written.links)
  for (const { name } of layout.unwanted?.(view) ?? []) {
    if (written.removed.has(name)) continue
    rmSync(runFolder(dir, name), { recursive: true, force: true })
    written.removed.add(name)
  }
}

function placeOf({ path, root }: Pick<FileText, 'path' | 'root'>, dir: string, roots: Roots): string {
  if (root === undefined) return join(dir, path)
  const folder = roots[root]
  if (folder === undefined) throw new AssayError('internal', `the layout has no root "${root}"`)
  return placeInside(folder, path)
}

/** A place outside the experiment's directory stays below its root, both by its name and through links. */
function placeInside(folder: string, path: string): string {
  if (isAbsolute(path) || path.split(/[\\/]/).includes('..')) throw leavesRoot(folder, path)
  const place = join(folder, path)
  makeFolders(dirname(place))
  const [inside, parent] = [realpathSync(folder), realpathSync(dirname(place))]
  if (parent !== inside && !parent.startsWith(`${inside}${sep}`)) throw leavesRoot(folder, path)
  return place
}

const leavesRoot = (folder: string, path: string): AssayError =>
  new AssayError('cannot_write', `${path} leads out of ${folder}, and was not written`)

/** Relative, so that a tree can be moved as a whole. Anything else with that name is left alone. */
function makeLink({ root, path, to }: FolderLink, roots: Roots, made: Set<string>): void {
  const folder = roots[root]
  if (folder === undefined || made.has(path) || !existsSync(to)) return
  const place = placeInside(folder, path)
  const target = relative(dirname(place), to)
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found !== undefined && !found.isSymbolicLink())
    throw new AssayError('cannot_write', `${place} is not a link of assay, and was left as it is; the run is in ${to}`)
  if (found === undefined) symlink(target, place)
  else if (readlinkSync(place) !== target) replaceLink(target, place)
  made.add(path)
}

function symlink(target: string, place: string): void {
  try {
    symlinkSync(target, place)
  } catch (error) {
    // Another process of the same experiment makes the same links.
    if (systemCode(error) !== 'EEXIST') throw error
  }
}

function replaceLink(target: string, place: string): void {
  const draft = `${place}.${process.pid}.tmp`
  symlink(target, draft)
  renameSync(draft, place)
}
