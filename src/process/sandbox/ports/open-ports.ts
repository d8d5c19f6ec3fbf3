import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { AssayError } from '../../../util/errors.ts'
import { tokenVariable } from '../../processes.ts'
import type { BoxSpec } from '../box.ts'

export interface Ports {
  close(): Promise<void>
}

/**
 * A process of ours that listens on 127.0.0.1 in the network of the box and connects to sockets outside it. `into` is the
 * command that enters that network, and nothing else of the box: so it sees the files of the host.
 */
export async function openPorts({ ports, token }: BoxSpec, into: readonly string[]): Promise<Ports> {
  if (ports.length === 0) return { close: () => Promise.resolve() }
  const program = [process.execPath, '-e', `(${forward})(${JSON.stringify(ports)}) // assay-forward`]
  const [name = '', ...args] = [...into, ...program]
  const child = spawn(name, args, { env: { [tokenVariable]: token }, detached: true, stdio: 'pipe' })
  let complaint = ''
  child.stderr.on('data', chunk => {
    complaint += chunk
  })
  const isReady = await Promise.race([once(child.stdout, 'data').then(() => true), ended(child).then(() => false)])
  if (!isReady)
    throw new AssayError(
      'unsupported_environment',
      `ports of the box can't be opened: ${complaint.trim().slice(0, 1000)}`,
    )
  return {
    async close() {
      child.kill('SIGKILL')
      await ended(child)
    },
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit').catch(() => undefined)
}

/** Runs in a separate Node process, from its source text: it may use nothing of this module. */
function forward(ports: BoxSpec['ports']): void {
  const net = process.getBuiltinModule('node:net')
  const join = (one: Socket, other: Socket): void => {
    one.pipe(other)
    one.on('error', () => other.destroy()).on('close', () => other.destroy())
  }
  const servers = ports.map(({ port, socket }) => {
    const server = net.createServer({ allowHalfOpen: true, noDelay: true }, client => {
      const target = net.connect({ path: socket, allowHalfOpen: true })
      join(client, target)
      join(target, client)
    })
    return new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  })
  void Promise.all(servers).then(() => process.stdout.write('\n'))
  // The end of the input is the end of assay.
  process.stdin.on('end', () => process.exit()).resume()
}
