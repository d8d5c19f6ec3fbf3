import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Also where a box, or an overlay, has taken the right to enter from a folder. */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    openFolders(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The same for thousands of files, while this process does other things. */
export async function removeFolderAside(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true })
  } catch {
    removeFolder(folder)
  }
}

function openFolders(folder: string): void {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name))
}
