import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Where groups with limits can be made: folders of control groups, or null. */
export interface Hierarchies {
  readonly version: 1 | 2
  readonly memory: string | null
  readonly pids: string | null
  /** Mount points below which groups may be found. */
  readonly roots: readonly string[]
}

/** Version 2 if it has the controllers, otherwise version 1, which many machines still mount next to it. */
export function readHierarchies(
  mountinfo = read('/proc/self/mountinfo'),
  own = read('/proc/self/cgroup'),
  isUsable: (folder: string, file: string) => boolean = canLimit,
): Hierarchies {
  const mounts = groupMounts(mountinfo)
  const unified = mounts.find(({ version }) => version === 2)
  if (unified !== undefined) {
    const places = candidates(unified, ownPath(own, ''))
    const find = (file: string) => places.find(place => isUsable(place, file)) ?? null
    const memory = find('memory.max')
    const pids = find('pids.max')
    if (memory !== null || pids !== null) return { version: 2, memory, pids, roots: [unified.at] }
  }
  const find = (controller: string, file: string) => {
    const mount = mounts.find(({ controllers }) => controllers.includes(controller))
    if (mount === undefined) return null
    return candidates(mount, ownPath(own, controller)).find(place => isUsable(place, file)) ?? null
  }
  return {
    version: 1,
    memory: find('memory', 'memory.limit_in_bytes'),
    pids: find('pids', 'pids.max'),
    roots: mounts.filter(({ controllers }) => controllers.some(name => limiting.has(name))).map(({ at }) => at),
  }
}

const limiting = new Set(['memory', 'pids'])

interface GroupMount {
  readonly at: string
  /** The group that is seen at the mount point. */
  readonly root: string
  readonly version: 1 | 2
  readonly controllers: readonly string[]
}

/** `36 35 0:29 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory` */
function groupMounts(mountinfo: string): readonly GroupMount[] {
  return mountinfo.split('\n').flatMap((line): readonly GroupMount[] => {
    const [before = '', after = ''] = line.split(' - ')
    const [, , , root = '/', at = ''] = before.split(' ')
    const [type, , options = ''] = after.split(' ')
    if (type === 'cgroup2') return [{ at, root, version: 2, controllers: [] }]
    if (type === 'cgroup') return [{ at, root, version: 1, controllers: options.split(',') }]
    return []
  })
}

/** `4:memory:/user.slice`; version 2 has no controllers: `0::/user.slice`. */
function ownPath(own: string, controller: string): string {
  const line = own.split('\n').find(text => (text.split(':')[1] ?? '').split(',').includes(controller))
  return line?.split(':').slice(2).join(':') ?? '/'
}

/**
 * This process's group, so that limits around it still apply, or one above it: in version 2 a group with processes of
 * its own can't limit groups below it.
 */
function candidates({ at, root }: GroupMount, own: string): readonly string[] {
  const below = root !== '/' && own.startsWith(root) ? own.slice(root.length) : own
  const places: string[] = []
  for (let path = join('/', below); ; path = dirname(path)) {
    places.push(path === '/' ? at : join(at, path))
    if (path === '/') return places
  }
}

/** Actually tried, because permissions say too little. */
function canLimit(folder: string, file: string): boolean {
  const probe = join(folder, `assay-probe-${process.pid}`)
  try {
    mkdirSync(probe)
  } catch {
    return false
  }
  try {
    if (!hasFile(probe, file)) enable(folder, file.split('.')[0] ?? '')
    if (!hasFile(probe, file)) return false
    // Moving a process needs more rights than making a group.
    writeFileSync(join(probe, file), file === 'memory.limit_in_bytes' ? '-1' : 'max')
    return canJoin(probe)
  } catch {
    return false
  } finally {
    rmdirSync(probe)
  }
}

const hasFile = (folder: string, file: string): boolean => read(join(folder, file)) !== ''

function enable(folder: string, controller: string): void {
  writeFileSync(join(folder, 'cgroup.subtree_control'), `+${controller}`)
}

function canJoin(folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'echo 0 > "$1"', 'sh', join(folder, 'cgroup.procs')]).status === 0
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
