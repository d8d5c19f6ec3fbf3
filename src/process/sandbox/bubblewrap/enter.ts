import type { BoxSpec, ExecOptions } from '../box.ts'
import type { Booted } from './boot.ts'
import type { Host } from './probe.ts'

export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Limits for each single process, if there is no control group to limit them together. */
export interface ProcessLimits {
  readonly memoryMb: number | null
  readonly pids: number | null
  readonly storageMb: number | null
}

/** The command line that starts a program in a box that is up. */
export function enterArguments(
  host: Host,
  { outer, first }: Booted,
  spec: BoxSpec,
  argv: readonly string[],
  options: Pick<ExecOptions, 'cwd'>,
  inside: { readonly account: Account; readonly joinFiles: readonly string[]; readonly limits: ProcessLimits },
): readonly string[] {
  const { nsenter } = host.programs
  const { account, joinFiles, limits } = inside
  // A user's box has a single user, so the choice is fixed; and it can only be entered from bwrap's namespace.
  const isUser = host.namespaces === null
  const through = isUser ? [nsenter, '--target', String(outer), '--user', '--preserve-credentials'] : []
  const who = isUser ? ['--preserve-credentials'] : ['--setuid', String(account.uid), '--setgid', String(account.gid)]
  const namespaces = ['--mount', '--pid', '--ipc', '--uts', '--user', ...(spec.network === 'none' ? ['--net'] : [])]
  return [
    ...['/bin/sh', '-c', enter, 'assay-exec'],
    ...[blocks(limits.storageMb, 512), blocks(limits.memoryMb, 1024), limits.pids === null ? '' : String(limits.pids)],
    ...[String(joinFiles.length), ...joinFiles, ...through],
    ...[
      nsenter,
      '--target',
      String(first),
      ...namespaces,
      ...who,
      `--wdns=${options.cwd ?? spec.workdir}`,
      '--',
      ...argv,
    ],
  ]
}

const blocks = (mb: number | null, size: number): string =>
  mb === null ? '' : String(Math.ceil((mb * 1024 * 1024) / size))

// The number of processes is -u in bash and -p in dash. -d counts private memory that can be written: unlike the address
// space, which JavaScript engines reserve by the terabyte, it is memory that is really used.
const enter = `
if [ -n "$1" ]; then ulimit -f "$1" || exit 125; fi
if [ -n "$2" ]; then ulimit -d "$2" || exit 125; fi
if [ -n "$3" ]; then ulimit -u "$3" 2>/dev/null || ulimit -p "$3" || exit 125; fi
groups=$4
shift 4
while [ "$groups" -gt 0 ]; do echo 0 > "$1" || exit 125; shift; groups=$((groups - 1)); done
exec "$@"
`

/**
 * Variables that would change the programs of the host on the way into the box. They are set by the box's own `env`; none
 * of them is a secret, which must not be on a command line.
 */
export function splitEnvironment(env: Readonly<Record<string, string>>): {
  readonly outside: Readonly<Record<string, string>>
  readonly inside: readonly string[]
} {
  const entries = Object.entries(env)
  const inside = entries.filter(([name]) => changesPrograms.test(name)).map(([name, value]) => `${name}=${value}`)
  return {
    outside: Object.fromEntries(entries.filter(([name]) => !changesPrograms.test(name))),
    inside: inside.length === 0 ? [] : ['env', ...inside],
  }
}

const changesPrograms =
  /^(LD_|GLIBC_|MALLOC_|GCONV_PATH$|LOCPATH$|NLSPATH$|BASH_ENV$|ENV$|IFS$|PS4$|SHELLOPTS$|BASHOPTS$|POSIXLY_CORRECT$)/
