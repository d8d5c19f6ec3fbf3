import type { LiveAccess } from '../../report/live.ts'
import { folderInside } from '../security/file-inside.ts'
import { readJournal } from './read-journal.ts'

/** Everything under the folder that is served, and nothing that a link leads to elsewhere. */
export const accessUnder = (root: string): LiveAccess => ({
  read: readJournal,
  shown: folder => folderInside(root, folder),
})
