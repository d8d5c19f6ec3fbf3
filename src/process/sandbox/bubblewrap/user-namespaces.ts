import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { AssayError } from '../../../util/errors.ts'

/** Open descriptors of two user namespaces, the second within the first. */
export interface UserNamespaces {
  /** Owns the box's mounts, network and processes. */
  readonly outer: number
  /** The namespace of programs: they are root there, without power over anything outside. */
  readonly inner: number
}

interface Programs {
  readonly unshare: string
  readonly nsenter: string
}

/**
 * For boxes opened by root. In the inner namespace every user keeps its number, so files have their real owners and
 * package managers work; but its root can't mount, unmount, make devices or further namespaces. They belong to no
 * single box, so one pair serves all boxes of a process.
 */
export async function makeUserNamespaces({ unshare, nsenter }: Programs): Promise<UserNamespaces> {
  const outer = await hold([unshare, '--user', 'cat'])
  const ends = [outer.end]
  try {
    const map = `0 0 ${mappedUsers()}`
    for (const file of mapFiles) writeFileSync(`/proc/${outer.pid}/${file}`, map)
    const inner = await hold([nsenter, '--target', String(outer.pid), '--user', unshare, '--user', 'cat'])
    ends.push(inner.end)
    const run = (target: number, script: string, ...args: string[]) =>
      execute(nsenter, ['--target', String(target), '--user', '/bin/sh', '-c', script, 'sh', ...args])
    // Only a process of the namespace above may write this.
    for (const file of mapFiles) await run(outer.pid, 'echo "$1" > "$2"', map, `/proc/${inner.pid}/${file}`)
    await run(inner.pid, `for kind in ${kinds}; do echo 0 > /proc/sys/user/max_\${kind}_namespaces || exit; done`)
    return { outer: openSync(`/proc/${outer.pid}/ns/user`, 'r'), inner: openSync(`/proc/${inner.pid}/ns/user`, 'r') }
  } finally {
    for (const end of ends) end()
  }
}

const execute = promisify(execFile)
const mapFiles = ['uid_map', 'gid_map']
const kinds = 'user mnt net pid ipc uts cgroup'

/** All users of this system, or those of the container around us. */
function mappedUsers(): number {
  const [inside, , count] = readFileSync('/proc/self/uid_map', 'utf8').trim().split(/\s+/).map(Number)
  return inside === 0 ? Math.min(count ?? 1, 65_536) : 1
}

/** A `cat` in a new namespace: once it has echoed its input, the namespace exists; it ends with its input, so with us. */
async function hold(argv: readonly string[]): Promise<{ readonly pid: number; end(): void }> {
  const [program = '', ...args] = argv
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(program, args, { stdio: 'pipe' })
  let complaint = ''
  child.stderr.on('data', chunk => {
    complaint += chunk
  })
  child.stdin.on('error', () => undefined).write('\n')
  const [answer] = await Promise.race([once(child.stdout, 'data'), once(child, 'close').then(() => [null])])
  if (answer === null || child.pid === undefined)
    throw new AssayError('unsupported_environment', `a user namespace can't be made: ${complaint.trim()}`, {
      hint: 'The kernel or a policy of this machine forbids them; use docker or podman.',
    })
  return { pid: child.pid, end: () => void child.stdin.end() }
}
