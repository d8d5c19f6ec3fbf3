import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** How the directories of a dated series are called, relative to `out_root`. */
export interface Series {
  /** undefined: there is none yet. */
  newest(root: string, name: string): string | undefined
  next(root: string, name: string, now: number): string
}

/** `<name>@2026-11-15`, then `<name>@2026-11-15.2`, … */
export const seriesByDay: Series = {
  newest(root, name) {
    const numbered = entriesOf(root).flatMap(entry => {
      const match = entry.startsWith(`${name}@`)
        ? /^(\d{4}-\d{2}-\d{2})(?:\.(\d+))?$/.exec(entry.slice(name.length + 1))
        : null
      return match ? [{ entry, day: match[1] ?? '', number: Number(match[2] ?? 1) }] : []
    })
    numbered.sort((a, b) => (a.day === b.day ? a.number - b.number : a.day < b.day ? -1 : 1))
    return numbered.at(-1)?.entry
  },
  next(root, name, now) {
    const first = `${name}@${new Date(now).toISOString().slice(0, 10)}`
    for (let number = 1; ; number++) {
      const candidate = number === 1 ? first : `${first}.${number}`
      if (!existsSync(join(root, candidate))) return candidate
    }
  },
}

/** `<name>/20261115__09-30-00` in UTC; the next free second where that one is taken. */
export const seriesBySecond: Series = {
  newest(root, name) {
    // A folder without a journal was made by another program, and is not ours to continue.
    const ours = stampsIn(join(root, name)).filter(stamp => existsSync(join(root, name, stamp, 'journal.db')))
    const newest = ours.at(-1)
    return newest && join(name, newest)
  },
  next(root, name, now) {
    for (let at = now; ; at += 1000) {
      const candidate = join(name, stampOf(at))
      if (!existsSync(join(root, candidate))) return candidate
    }
  },
}

/** `20261115__09-30-00`: a second, in UTC. */
export function stampOf(now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().slice(0, 19).split('T')
  return `${day.replaceAll('-', '')}__${time.replaceAll(':', '-')}`
}

export const isStamp = (text: string): boolean => /^\d{8}__\d{2}-\d{2}-\d{2}$/.test(text)

/** The stamped folders in a folder, the newest last. */
export const stampsIn = (folder: string): readonly string[] => entriesOf(folder).filter(isStamp).toSorted()

/** None where there is no folder; a file in its place is refused later, when the directory is made. */
function entriesOf(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
}
