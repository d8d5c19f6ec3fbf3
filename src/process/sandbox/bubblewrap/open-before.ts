import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SafeFolder } from '../transfer/safe-folder.ts'
import type { Booted } from './boot.ts'
import type { BoxFiles } from './box-files.ts'
import type { Host } from './probe.ts'

/** A folder of the box as it was when its files were fresh: the layers below the one that is written to. */
export async function openBefore(
  host: Host,
  { outer }: Booted,
  files: BoxFiles,
  path: string,
): Promise<SafeFolder | null> {
  const part = files.parts.filter(({ at }) => at === '/' || path === at || path.startsWith(`${at}/`)).at(-1)
  if (part === undefined) return null
  const inside = path.slice(part.at === '/' ? 0 : part.at.length)
  if (!host.overlay) return SafeFolder.open(join(files.folder, 'i', part.name))?.find(inside) ?? null
  const [only = ''] = part.lower
  // One layer alone can't be an overlay, and needs not be.
  if (part.lower.length === 1) return SafeFolder.open(join(files.folder, only, '.'))?.find(inside) ?? null
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
