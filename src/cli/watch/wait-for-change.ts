import { type FSWatcher, watch } from 'node:fs'
import { changedSince, type WatchedFiles, watchedFiles } from './watched-files.ts'

/** An editor writes several times in a row while saving: only the final content counts. */
const quietMs = 100
/** For systems that report no changes: some network drives, or when too many files are watched already. */
const pollMs = 2000

/** The files that changed since `before`; null: `ending` was aborted. */
export async function waitForChange(
  experimentFile: string,
  before: WatchedFiles,
  { cwd, ending }: { readonly cwd: string; readonly ending: AbortSignal },
): Promise<{ readonly changed: readonly string[]; readonly now: WatchedFiles } | null> {
  const watchers: FSWatcher[] = []
  let quiet: NodeJS.Timeout | undefined
  let looking: NodeJS.Timeout | undefined
  try {
    return await new Promise(done => {
      const look = (): void => {
        const now = watchedFiles(experimentFile, cwd)
        const changed = changedSince(before, now)
        if (changed.length > 0) done({ changed, now })
      }
      const soon = (): void => {
        clearTimeout(quiet)
        quiet = setTimeout(look, quietMs)
      }
      ending.addEventListener('abort', () => done(null), { once: true })
      if (ending.aborted) return done(null)
      for (const folder of before.folders) watchers.push(...watcherOf(folder, soon))
      looking = setInterval(look, pollMs)
      // A save since the files were read, while runs were executed, is a change too.
      soon()
    })
  } finally {
    clearTimeout(quiet)
    clearInterval(looking)
    for (const watcher of watchers) watcher.close()
  }
}

/** Empty if the system refuses: then checking from time to time must do. */
function watcherOf(folder: string, onEvent: () => void): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, onEvent)
    watcher.on('error', onEvent)
    return [watcher]
  } catch {
    return []
  }
}
