import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256OfJson } from '../../../util/hash.ts'
import { sharedFolder } from './shared-folder.ts'

/**
 * A layer above the host's folders that hides files which other users may not read: in a box of root, root's own
 * permissions would show them. Password hashes are replaced, because programs expect the file. null: nothing to hide.
 */
export function maskOf(folders: readonly string[]): string | null {
  const hidden = folders.flatMap(folder => [...secretsIn(folder, depthOf(folder))])
  if (hidden.length === 0) return null
  const replaced = replacements()
  const id = sha256OfJson({ hidden, replaced }).slice(0, 16)
  return sharedFolder(`mask-${id}`, draft => fill(draft, hidden, replaced))
}

// /etc is searched completely. Elsewhere only the upper levels: there are a hundred thousand files in /usr.
const depthOf = (folder: string): number => (folder === '/etc' ? 8 : folder === '/opt' ? 3 : 0)

// World-readable, but not for a box: the identity and addresses of this machine.
const always = new Set(['/etc/machine-id', '/etc/docker', '/etc/kubernetes', '/etc/ssh', '/etc/wireguard'])

function* secretsIn(folder: string, depth: number): Generator<string> {
  if (depth === 0) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isSymbolicLink()) continue
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0
    if (always.has(path) || (mode & 0o004) === 0 || (!entry.isFile() && !entry.isDirectory())) yield path
    else if (entry.isDirectory()) yield* secretsIn(path, depth - 1)
  }
}

/** Accounts without passwords, in the form of the real files. */
function replacements(): Readonly<Record<string, string>> {
  const names = (file: string) =>
    (existsSync(file) ? readFileSync(file, 'utf8') : '').split('\n').flatMap(line => line.split(':')[0] || [])
  return {
    '/etc/shadow': names('/etc/passwd')
      .map(name => `${name}:*:19000:0:99999:7:::\n`)
      .join(''),
    '/etc/gshadow': names('/etc/group')
      .map(name => `${name}:*::\n`)
      .join(''),
  }
}

function fill(draft: string, hidden: readonly string[], replaced: Readonly<Record<string, string>>): void {
  for (const path of hidden) {
    const at = join(draft, path)
    mkdirSync(dirname(at), { recursive: true, mode: 0o755 })
    const content = replaced[path]
    if (content !== undefined) writeFileSync(at, content, { mode: 0o640 })
    // A device with the numbers 0 and 0 is an overlay's mark for a deleted file.
    else execFileSync('mknod', [at, 'c', '0', '0'])
  }
}
