import { AssayError } from '../../util/errors.ts'
import { withoutAddressSecrets } from '../../util/secrets.ts'
import { shellQuote } from '../../util/words.ts'

/** The user's settings for machines reached by ssh. */
export interface SshOptions {
  readonly hosts: readonly SshHost[]
  /** The experiment's folder there. */
  readonly folder: string
  /** The shell words that start assay there. */
  readonly assay: string
  /** An ssh configuration file to use instead of the user's own. */
  readonly config?: string | undefined
}

export interface SshHost {
  /** As ssh knows it: `gpu1`, `me@gpu1`. */
  readonly name: string
  /** Runs at a time; null: as many as it has CPUs. */
  readonly slots: number | null
}

/** `a,me@b=8` */
export function parseHosts(given: string): readonly SshHost[] {
  const hosts = given.split(',').map(one => {
    const [, name, slots] = /^([\w@.:%-]+?)(?:=(\d+))?$/.exec(one.trim()) ?? []
    // ssh would read a name that begins with a dash as an option.
    if (name === undefined || name.startsWith('-') || slots === '0')
      throw new AssayError('usage', `--hosts: expected hosts such as gpu1,me@gpu2=8, got ${JSON.stringify(one)}`)
    return { name, slots: slots === undefined ? null : Number(slots) }
  })
  const twice = hosts.find(({ name }, at) => hosts.findIndex(other => other.name === name) !== at)
  if (twice !== undefined)
    throw new AssayError('usage', `--hosts names ${twice.name} twice; ${twice.name}=8 gives it 8 slots`)
  return hosts
}

export interface Tunnel {
  /** The value of `ssh -R`. */
  readonly forward: string
  /** The queue's address at the remote end. */
  readonly address: string
}

/** From a remote port to the queue's server, as this machine reaches it. */
export function tunnelTo(queue: string, port: number): Tunnel {
  const url = new URL(queue)
  const usual = url.protocol.startsWith('redis') ? '6379' : '5432'
  const server = `${url.hostname === '' ? '127.0.0.1' : url.hostname}:${url.port || usual}`
  const there = new URL(queue)
  there.hostname = '127.0.0.1'
  there.port = String(port)
  return { forward: `127.0.0.1:${port}:${server}`, address: there.href }
}

/** The arguments of `ssh`. The address goes over standard input, because other users can read command lines. */
export function sshArguments({ name, slots }: SshHost, { forward }: Tunnel, options: SshOptions): readonly string[] {
  return [
    ...(options.config === undefined ? [] : ['-F', options.config]),
    ...['-o', 'BatchMode=yes', '-o', 'ExitOnForwardFailure=yes', '-o', 'ServerAliveInterval=15', '-T'],
    ...['-R', forward, name, remoteScript(slots, options)],
  ]
}

/** The worker ends when its standard input closes: with the coordinator, or with the connection. */
const remoteScript = (slots: number | null, { folder, assay }: SshOptions): string =>
  [
    `cd ${shellQuote(folder)} || exit 1`,
    'IFS= read -r ASSAY_QUEUE; export ASSAY_QUEUE; exec 3<&0',
    `${assay} worker --json${slots === null ? '' : ` -j ${slots}`} </dev/null 3<&- & worker=$!`,
    '(cat <&3; kill -TERM $worker) >/dev/null 2>&1 & watch=$!',
    'exec 3<&-; wait $worker; status=$?; kill $watch 2>/dev/null; exit $status',
  ].join('\n')

/** The command for each host, without the queue's password. */
export function sshPlan(options: SshOptions, queue: string): readonly string[] {
  return options.hosts.flatMap(host => {
    const tunnel = tunnelTo(queue, 20_000)
    const args = sshArguments(host, tunnel, options)
    return [
      `ssh: a worker on ${host.name}, with a tunnel to ${withoutAddressSecrets(queue)} (the port may be another)`,
      `  ${['ssh', ...args].map(shellQuote).join(' ').replaceAll('\n', '\n  ')}`,
    ]
  })
}
