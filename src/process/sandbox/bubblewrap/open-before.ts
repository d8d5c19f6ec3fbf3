import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { SafeFolder } from '../transfer/safe-folder.ts'
import type { Booted } from './boot.ts'
import type { BoxFiles, Part } from './box-files.ts'
import type { Host } from './probe.ts'

/** A folder of the box as it was when its files were fresh: the layers below the writable one. */
export async function openBefore(
  host: Host,
  { outer }: Booted,
  files: BoxFiles,
  path: string,
): Promise<SafeFolder | null> {
  const found = partWith(files, path)
  if (found === null) return null
  const { part, inside } = found
  if (!host.overlay) return SafeFolder.open(join(files.folder, 'i', part.name))?.find(inside) ?? null
  const [only = ''] = part.lower
  // One layer alone can't be an overlay, and needs not be.
  if (part.lower.length === 1) return SafeFolder.open(`${resolve(files.folder, only)}/.`)?.find(inside) ?? null
  const { nsenter } = host.programs
  const user = host.namespaces === null ? ['--user', '--preserve-credentials'] : []
  const mode = host.namespaces === null ? ',userxattr' : ''
  const script = 'cd "$1" && mkdir -p b && if ! mountpoint -q b; then mount -t overlay -o "$2" before b; fi'
  const options = `lowerdir=${part.lower.join(':')}${mode}`
  // In bwrap's own mount namespace, which ends with the box.
  await promisify(execFile)(
    nsenter,
    [...['--target', String(outer)], ...user, '--mount', '/bin/sh', '-c', script, 'sh', files.folder, options],
    { cwd: '/' },
  )
  const view = SafeFolder.open(join(`/proc/${outer}/root`, files.folder, 'b'))
  try {
    return view?.find(inside) ?? null
  } finally {
    view?.close()
  }
}

/** Whether a folder had anything in it then; it costs no mount to know. */
export function hadFiles(files: BoxFiles, path: string): boolean {
  const found = partWith(files, path)
  return (
    found?.part.lower.some(layer => {
      const root = SafeFolder.open(`${resolve(files.folder, layer)}/.`)
      const folder = root?.find(found.inside) ?? null
      try {
        return folder !== null && folder.names().length > 0
      } finally {
        folder?.close()
        root?.close()
      }
    }) ?? false
  )
}

function partWith({ parts }: BoxFiles, path: string): { readonly part: Part; readonly inside: string } | null {
  const part = parts.filter(({ at }) => at === '/' || path === at || path.startsWith(`${at}/`)).at(-1)
  return part === undefined ? null : { part, inside: path.slice(part.at === '/' ? 0 : part.at.length) }
}
