import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Workers } from '../with-workers.ts'
import { type SshHost, type SshOptions, sshArguments, tunnelTo } from './ssh-command.ts'

/** A worker that ended by itself is started again, after longer and longer waits. */
const retryMs = 2_000
const longestMs = 60_000
/** How long workers have to finish at the end. */
const endMs = 15_000
/** Tries in a row to find a free port on the remote machine. */
const mostPorts = 20

/** Below the ports that systems assign to outgoing connections. */
const anyPort = (): number => randomInt(20_000, 32_000)

/** One worker on each host, over ssh, with a tunnel to the queue's server. */
export class SshWorkers implements Workers {
  readonly #options: SshOptions
  readonly #queue: string
  readonly #pickPort: () => number
  readonly #running = new Map<string, ChildProcess>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  #isStopping = false

  constructor(options: SshOptions, queue: string, pickPort: () => number = anyPort) {
    this.#options = options
    this.#pickPort = pickPort
    this.#queue = queue
  }

  start(tell: (message: string) => void): void {
    for (const host of this.#options.hosts) this.#startOn(host, tell, retryMs)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    await Promise.all([...this.#running.values()].map(end))
  }

  #startOn(host: SshHost, tell: (message: string) => void, waitMs: number, ports = 1): void {
    if (this.#isStopping) return
    const tunnel = tunnelTo(this.#queue, this.#pickPort())
    const child = spawn('ssh', sshArguments(host, tunnel, this.#options), { stdio: ['pipe', 'ignore', 'pipe'] })
    const startedAt = performance.now()
    this.#running.set(host.name, child)
    child.stdin.on('error', () => undefined).write(`${tunnel.address}\n`)
    let output = ''
    child.stderr.setEncoding('utf8').on('data', text => {
      output = `${output}${text}`.slice(-2_000)
    })
    child.on('error', error => {
      output = error.message
    })
    child.on('close', status => {
      this.#running.delete(host.name)
      if (this.#isStopping) return
      // Another program uses the port there.
      if (/remote port forwarding failed/.test(output) && ports < mostPorts)
        return this.#startOn(host, tell, waitMs, ports + 1)
      const last = output.trim().split('\n').at(-1) ?? ''
      tell(`the worker on ${host.name} ended (${last === '' ? `exit ${status}` : last}); it is started again`)
      const next = performance.now() - startedAt > longestMs ? retryMs : Math.min(longestMs, 2 * waitMs)
      this.#timers.set(
        host.name,
        setTimeout(() => this.#startOn(host, tell, next), waitMs),
      )
    })
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'close')
  child.stdin?.end()
  const timer = setTimeout(() => child.kill('SIGTERM'), endMs)
  await gone
  clearTimeout(timer)
}
