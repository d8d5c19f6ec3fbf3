import { gzipSync } from 'node:zlib'
import { type LiveAccess, liveHeadline, packedLive } from '../../report/live.ts'
import { folderInside } from '../security/file-inside.ts'
import type { Headline } from '../wire.ts'
import { readJournal } from './read-journal.ts'

/** Lightly: over a tunnel it saves much, on this machine it must cost nothing. */
export const gzippedDataset = (root: string, dirs: readonly string[]): Uint8Array =>
  new Uint8Array(gzipSync(packedLive(dirs, accessUnder(root)), { level: 1 }))

/** The headline of the experiment's page. */
export function headlineOf(root: string, dir: string): Headline {
  const { branches: _, ...headline } = liveHeadline(dir, accessUnder(root))
  return headline
}

/** Everything under the folder that is served, and nothing that a link leads to elsewhere. */
const accessUnder = (root: string): LiveAccess => ({
  read: readJournal,
  shown: folder => folderInside(root, folder),
})
