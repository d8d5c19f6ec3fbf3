import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { AssayError } from '../../../util/errors.ts'
import { tokenVariable } from '../../processes.ts'
import type { BoxSpec } from '../box.ts'
import { type BoxFiles, readyToMount } from './box-files.ts'
import { networkFiles } from './network-files.ts'
import type { Host } from './probe.ts'

/** The processes that keep a box alive. Its namespaces end with them, and they end with assay. */
export interface Booted {
  /** bwrap itself, outside the box. It sees the mounted files, and the host around them. */
  readonly outer: number
  /** The first process of the box: when it ends, the kernel ends all others. */
  readonly first: number
  readonly isUp: boolean
  /** Asks the box itself: a program in it may have ended everything a moment ago, before this process learns of it. */
  answers(): Promise<boolean>
  /** Back when the last process of the box is gone. */
  end(): Promise<void>
}

/**
 * Mounts the files and starts bwrap over them, with a `cat` in it that waits for the end of its input: it ends when
 * assay does, even if that was before bwrap could ask the kernel for it.
 */
export async function boot(host: Host, spec: BoxSpec, files: BoxFiles, joinFiles: readonly string[]): Promise<Booted> {
  readyToMount(files, spec.mounts)
  const { unshare, bwrap } = host.programs
  const isolation = [
    '--mount',
    '--propagation',
    'private',
    ...(host.namespaces === null ? ['--user', '--map-root-user'] : []),
  ]
  const script = [files.folder, host.overlay ? 'overlay' : 'bind', String(joinFiles.length), ...joinFiles]
  const child = spawn(
    unshare,
    [...isolation, '/bin/sh', '-c', setUp, 'assay-box', ...script, bwrap, ...bwrapArguments(host, spec, files)],
    {
      env: { PATH: systemPath, [tokenVariable]: spec.token },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', host.namespaces?.outer ?? 'ignore', host.namespaces?.inner ?? 'ignore'],
    },
  )
  const closed = new Promise<void>(resolve => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
  return await whenUp(child, closed, spec)
}

/** The system's programs only; a user's own PATH leads to places that a box does not show. */
export const systemPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

// Joining a control group waits for all cores of the machine, so that it is done while the overlays are mounted.
const setUp = `
cd "$1" || exit 1
how=$2 groups=$3
shift 3
(while [ "$groups" -gt 0 ]; do echo $$ > "$1" || exit 1; shift; groups=$((groups - 1)); done) &
if [ "$how" = overlay ]; then mount -a -T fstab || exit 1; fi
wait $! || exit 1
shift "$groups"
exec "$@"
`

async function whenUp(child: ChildProcess, closed: Promise<void>, { token }: BoxSpec): Promise<Booted> {
  const { stdin, stdout, stderr, stdio } = child
  const info = stdio[3]
  if (stdin === null || stdout === null || stderr === null || !(info instanceof Readable))
    throw new AssayError('internal', 'a box was started without its pipes')
  let complaint = ''
  stderr.on('data', chunk => {
    complaint = `${complaint}${chunk}`.slice(-4000)
  })
  const first = new Promise<number | null>(resolve => {
    let text = ''
    info.on('data', chunk => {
      text += chunk
      const found = /"child-pid": (\d+)/.exec(text)
      if (found !== null) resolve(Number(found[1]))
    })
    void closed.then(() => resolve(null))
  })
  stdin.on('error', () => undefined)
  const answers = (): Promise<boolean> => {
    const answered = new Promise<boolean>(resolve => stdout.once('data', () => resolve(true)))
    stdin.write('\n')
    return Promise.race([answered, closed.then(() => false)])
  }
  // bwrap sets up everything before it starts `cat`: an answer means that the box is complete.
  const isUp = await answers()
  const pid = await first
  if (!isUp || pid === null || child.pid === undefined)
    throw new AssayError(
      'unsupported_environment',
      `the box can't be opened: ${complaint.trim().split('\n')[0] || 'bwrap ended'}`,
      {
        facts: { token },
      },
    )
  const outer = child.pid
  let isGone = false
  void closed.then(() => {
    isGone = true
  })
  return {
    outer,
    first: pid,
    get isUp() {
      return !isGone && child.exitCode === null && child.signalCode === null
    },
    answers,
    async end() {
      if (isGone) return
      // It ends after all others in the box, and bwrap ends when it notices that.
      kill(pid)
      const stuck = setTimeout(kill, stuckMs, outer)
      await closed
      clearTimeout(stuck)
    },
  }
}

const stuckMs = 30_000

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}

function bwrapArguments(host: Host, spec: BoxSpec, files: BoxFiles): readonly string[] {
  const { namespaces } = host
  return [
    ...(namespaces === null
      ? ['--unshare-user', '--disable-userns', '--uid', '0', '--gid', '0']
      : ['--userns', '4', '--userns2', '5']),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--hostname', 'box'],
    ...(spec.network === 'none' ? ['--unshare-net'] : []),
    ...['--die-with-parent', '--new-session', '--info-fd', '3', '--clearenv'],
    ...['--setenv', 'PATH', systemPath, '--setenv', tokenVariable, spec.token],
    ...rootArguments(host, files),
    ...['--dev', '/dev', '--size', String(sharedMemoryBytes), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--proc', '/proc', ...protectedProc()],
    ...(spec.network === 'host' ? networkFiles().flatMap(file => ['--ro-bind', file, file]) : []),
    ...foldersAbove([spec.workdir, ...spec.mounts.map(({ target }) => target)]).flatMap(path => ['--dir', path]),
    ...spec.mounts.flatMap(({ source, target, writable }) => [writable ? '--bind' : '--ro-bind', source, target]),
    ...['--dir', spec.workdir, '--chdir', '/', 'cat'],
  ]
}

/** Outermost first. Those that bwrap creates itself can only be entered by root. */
function foldersAbove(paths: readonly string[]): readonly string[] {
  const above = (path: string): readonly string[] =>
    dirname(path) === '/' ? [] : [...above(dirname(path)), dirname(path)]
  return [...new Set(paths.flatMap(above))]
}

/** Without overlays only the parts that are the box's own can be written. */
function rootArguments({ overlay }: Host, { folder, parts }: BoxFiles): readonly string[] {
  if (overlay) return ['--bind', `${folder}/m`, '/']
  return parts.flatMap(({ at, name }) => (at === '/' ? ['--bind', `${folder}/u/${name}`, '/'] : ['--ro-bind', at, at]))
}

const sharedMemoryBytes = 64 * 1024 * 1024

/** Files that root can write, or can read too much from, without any capability; bwrap itself covers irq and bus. */
function protectedProc(): readonly string[] {
  const readOnly = ['sys', 'sysrq-trigger', 'fs'].map(name => `/proc/${name}`).filter(existsSync)
  const empty = ['kcore', 'keys', 'key-users', 'timer_list', 'sched_debug', 'latency_stats', 'kmsg', 'kallsyms']
  const folders = ['acpi', 'scsi', 'asound'].map(name => `/proc/${name}`).filter(existsSync)
  return [
    ...readOnly.flatMap(path => ['--ro-bind', path, path]),
    ...empty
      .map(name => `/proc/${name}`)
      .filter(existsSync)
      .flatMap(path => ['--ro-bind', '/dev/null', path]),
    ...folders.flatMap(path => ['--tmpfs', path, '--remount-ro', path]),
  ]
}
