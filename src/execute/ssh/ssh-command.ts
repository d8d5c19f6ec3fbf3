import { AssayError } from '../../util/errors.ts'
import { withoutAddressSecrets } from '../../util/secrets.ts'
import { shellQuote } from '../../util/words.ts'

/** What a user says about machines that are reached by ssh. */
export interface SshOptions {
  readonly hosts: readonly SshHost[]
  /** The experiment's folder there. */
  readonly folder: string
  /** How assay is started there, as words of a shell. */
  readonly assay: string
  /** A configuration file of ssh, instead of the user's own. */
  readonly config?: string | undefined
}

export interface SshHost {
  /** As ssh knows it: `gpu1`, `me@gpu1`. */
  readonly name: string
  /** Runs at once; null: as many as it has CPUs. */
  readonly slots: number | null
}

/** `a,me@b=8` */
export function parseHosts(given: string): readonly SshHost[] {
  const hosts = given.split(',').map(one => {
    const [, name, slots] = /^([\w@.:%-]+?)(?:=(\d+))?$/.exec(one.trim()) ?? []
    // A name that begins with a dash would be an option of ssh.
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
  /** The queue's address at the other end. */
  readonly address: string
}

/** From a port over there to the queue's server, as this machine reaches it. */
export function tunnelTo(queue: string, port: number): Tunnel {
  const url = new URL(queue)
  const usual = url.protocol.startsWith('redis') ? '6379' : '5432'
  const server = `${url.hostname === '' ? '127.0.0.1' : url.hostname}:${url.port || usual}`
  const there = new URL(queue)
  there.hostname = '127.0.0.1'
  there.port = String(port)
  return { forward: `127.0.0.1:${port}:${server}`, address: there.href }
}

/** What follows `ssh`. The address comes over standard input: a command line can be read by others. */
export function sshArguments({ name, slots }: SshHost, { forward }: Tunnel, options: SshOptions): readonly string[] {
  return [
    ...(options.config === undefined ? [] : ['-F', options.config]),
    ...['-o', 'BatchMode=yes', '-o', 'ExitOnForwardFailure=yes', '-o', 'ServerAliveInterval=15', '-T'],
    ...['-R', forward, name, remoteScript(slots, options)],
  ]
}

/** The worker ends when standard input does: with the coordinator, or with the connection. */
const remoteScript = (slots: number | null, { folder, assay }: SshOptions): string =>
  [
    `cd ${shellQuote(folder)} || exit 1`,
    'IFS= read -r ASSAY_QUEUE; export ASSAY_QUEUE; exec 3<&0',
    `${assay} worker --json${slots === null ? '' : ` -j ${slots}`} </dev/null 3<&- & worker=$!`,
    '(cat <&3; kill -TERM $worker) >/dev/null 2>&1 & watch=$!',
    'exec 3<&-; wait $worker; status=$?; kill $watch 2>/dev/null; exit $status',
  ].join('\n')

/** What is run for each host, without the password of the queue. */
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
