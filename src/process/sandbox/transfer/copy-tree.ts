import { constants } from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolders } from '../../../util/files.ts'

/** Copies a file or folder of the host to a place of the host that no box is using. Links stay links. */
export async function copyTree(source: string, target: string): Promise<void> {
  makeFolders(dirname(target))
  await cp(source, target, {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    mode: constants.COPYFILE_FICLONE,
  })
}
