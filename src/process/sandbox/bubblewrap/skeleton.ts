import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AssayError } from '../../../util/errors.ts'
import { sha256OfJson } from '../../../util/hash.ts'
import type { HostView } from './host-folders.ts'
import { sharedFolder } from './shared-folder.ts'

/** The lowest layer of a box: empty folders that every system has, and links between folders of the host. */
export function skeletonOf(view: HostView): string {
  const id = sha256OfJson({ form: 1, everySystem, ...view }).slice(0, 16)
  const folder = sharedFolder(`skeleton-${id}`, draft => {
    makeFolders(draft, view.folders)
    for (const { path, target } of view.links) makeLink(join(draft, path), target)
  })
  if (folder !== null) return folder
  throw new AssayError('unsupported_environment', 'neither ~/.cache nor the folder for temporary files can be written')
}

const everySystem = ['dev', 'proc', 'sys', 'run', 'home', 'mnt', 'srv', 'opt', 'var/lib', 'var/log', 'var/cache']

function makeFolders(folder: string, shown: readonly string[]): void {
  for (const name of [...everySystem, ...shown]) mkdirSync(join(folder, name), { recursive: true, mode: 0o755 })
  for (const [name, mode] of [
    ['root', 0o700],
    ['tmp', 0o1777],
    ['var/tmp', 0o1777],
  ] as const) {
    mkdirSync(join(folder, name), { recursive: true })
    // The mask of this process must not decide it.
    chmodSync(join(folder, name), mode)
  }
}

function makeLink(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
