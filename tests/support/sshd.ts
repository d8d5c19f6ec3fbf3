import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from './queue-servers.ts'

/** A real sshd on a port of its own, with keys of its own. */
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

export async function startSshd(): Promise<TestSshd> {
  const folder = mkdtempSync('/tmp/assay-sshd-')
  for (const name of ['host', 'user'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  // sshd wants it; the system's own makes it when it is started.
  mkdirSync('/run/sshd', { recursive: true })
  const port = await freePort()
  const server = join(folder, 'sshd_config')
  writeFileSync(
    server,
    `Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/host
AuthorizedKeysFile ${folder}/user.pub
PidFile ${folder}/pid
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
AllowTcpForwarding yes
`,
  )
  const config = join(folder, 'ssh_config')
  writeFileSync(
    config,
    `Host one two
  HostName 127.0.0.1
  Port ${port}
  User ${userInfo().username}
  IdentityFile ${folder}/user
  IdentitiesOnly yes
  UserKnownHostsFile /dev/null
  StrictHostKeyChecking no
  LogLevel ERROR
`,
  )
  const log = openSync(join(folder, 'log'), 'a')
  const child = spawn(program, ['-D', '-e', '-f', server], { stdio: ['ignore', log, log] })
  await answers(port)
  return {
    config,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

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
