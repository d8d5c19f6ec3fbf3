import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What a box sees of the host: folders with programs, and links between them. Nothing else exists there. */
export interface HostView {
  /** Parents before the folders mounted in them. */
  readonly folders: readonly string[]
  readonly links: readonly { readonly path: string; readonly target: string }[]
}

const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix']

// Package managers need their own records: an `apt-get install` on top of the host must know what is installed.
const records = ['/var/lib/dpkg', '/var/lib/rpm']

// Only useful for downloading packages; each folder costs a box a millisecond.
const downloads = ['/var/lib/apt', '/var/cache/apt', '/var/cache/debconf']

/**
 * Programs are in few places, so those are listed, instead of what must stay hidden: home folders, /run, /tmp, … A
 * listed folder that contains one of `places` (for example the project) is replaced by its other parts.
 */
export function hostView(places: readonly string[], canDownload: boolean, mountinfo = readMounts()): HostView {
  const shown = [...programs, ...records, ...(canDownload ? downloads : [])]
  // If assay is started from / or /usr, the current folder is not a project.
  const hidden = places.filter(place => !shown.some(folder => isWithin(folder, place)) && place !== '/usr/bin')
  const folders: string[] = []
  const links: HostView['links'][number][] = []
  const show = (path: string): void => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found?.isSymbolicLink()) links.push({ path, target: readlinkSync(path) })
    if (!found?.isDirectory() || hidden.some(place => isWithin(path, place))) return
    if (hidden.some(place => isWithin(place, path))) for (const name of readdirSync(path)) show(join(path, name))
    else if (path !== '/opt' || readdirSync(path).length > 0) folders.push(path)
  }
  for (const path of shown) show(path)
  const mounted = mountPoints(mountinfo).filter(
    at => folders.some(folder => at !== folder && isWithin(at, folder)) && isFolder(at),
  )
  return { folders: [...folders, ...mounted.filter(at => !hidden.some(place => isWithin(at, place)))], links }
}

/** Whether a path is a folder or below it. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** An overlay does not see mounts below its folder. Kernel interfaces are not for boxes anyway. */
function mountPoints(mountinfo: string): readonly string[] {
  return mountinfo.split('\n').flatMap(line => {
    const [before = '', after = ''] = line.split(' - ')
    const at = before
      .split(' ')[4]
      ?.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)))
    return at === undefined || kernelKinds.has(after.split(' ')[0] ?? '') ? [] : [at]
  })
}

const kernelKinds = new Set(['proc', 'sysfs', 'cgroup', 'cgroup2', 'devpts', 'mqueue', 'debugfs', 'tracefs', 'autofs'])

function readMounts(): string {
  return readFileSync('/proc/self/mountinfo', 'utf8')
}
