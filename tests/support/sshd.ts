import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './queue-servers.ts'

/** A real sshd on its own port, with its own keys. */
export interface TestSshd {
  /** For `ssh -F`: knows the host by the names `one` and `two`. */
  readonly config: string
  stop(): Promise<void>
}

const program = '/usr/sbin/sshd'

/** Why there is none; null: it can be started. */
export function noSshd(): string | null {
  if (!existsSync(program)) return 'sshd is not installed'
  return process.getuid?.() === 0 ? null : 'sshd is started by root only'
}

/** A machine with its own network, its address, and its ssh name. */
export interface SshHost {
  readonly name: string
  readonly address: string
  /** The same command there. */
  on(command: readonly string[]): readonly string[]
}

/** One on this machine, which is both hosts; or one on each of these. */
export async function startSshd(hosts: readonly SshHost[] = []): Promise<TestSshd> {
  const folder = mkdtempSync('/tmp/assay-sshd-')
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  // sshd wants it; the system's own makes it when it is started.
  mkdirSync('/run/sshd', { recursive: true })
  const port = await freePort()
  const here: SshHost = { name: 'one two', address: '127.0.0.1', on: command => command }
  const places = hosts.length === 0 ? [here] : hosts
  const children = places.map(place => {
    const server = join(folder, `sshd_config-${place.address}`)
    writeFileSync(server, serverConfig(folder, place.address, port))
    const log = openSync(join(folder, 'log'), 'a')
    const [first = '', ...args] = place.on([program, '-D', '-e', '-f', server])
    return spawn(first, args, { stdio: ['ignore', log, log] })
  })
  const config = join(folder, 'ssh_config')
  writeFileSync(config, places.map(place => clientConfig(folder, place, port)).join(''))
  // Others are asked by ssh itself, in their own network.
  if (hosts.length === 0) await answers(port)
  return {
    config,
    async stop() {
      await Promise.all(
        children.map(async child => {
          const gone = once(child, 'exit')
          child.kill('SIGTERM')
          await gone
        }),
      )
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const serverConfig = (folder: string, address: string, port: number): string => `Port ${port}
ListenAddress ${address}
HostKey ${folder}/host
AuthorizedKeysFile ${folder}/user.pub
PidFile ${folder}/pid-${address}
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
AllowTcpForwarding yes
`

const clientConfig = (folder: string, { name, address }: SshHost, port: number): string => `Host ${name}
  HostName ${address}
  Port ${port}
  User ${userInfo().username}
  IdentityFile ${folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile /dev/null
  StrictHostKeyChecking no
  LogLevel ERROR
  ConnectTimeout 30
  ConnectionAttempts 30
`

async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false,
      ),
      once(socket, 'error').then(() => false),
    ])
    socket.destroy()
    if (isThere) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error('sshd did not start')
}
