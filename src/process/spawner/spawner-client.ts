import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Exit, Spawned, SpawnOptions } from '../spawn-group.ts'
import { lineSplitter, type Reply, type Request } from './protocol.ts'

interface Waiting {
  readonly started: PromiseWithResolvers<number | null>
  readonly exit: PromiseWithResolvers<Exit>
}

/** This process's spawner: see spawner.ts. */
export class SpawnerClient {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #waiting = new Map<number, Waiting>()
  #isReady = false
  #lastId = 0
  #unstarted = 0

  constructor() {
    // In a session of its own: Ctrl-C in the terminal is for assay, not for it. A small heap keeps it small.
    this.#child = spawn(process.execPath, ['--max-semi-space-size=1', '--v8-pool-size=0', programFile()], {
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
      env: process.env,
    })
    this.#child.stdout.setEncoding('utf8').on(
      'data',
      lineSplitter(line => this.#hear(JSON.parse(line) as Reply)),
    )
    this.#child.stdin.on('error', () => this.#lose())
    this.#child.once('error', () => this.#lose())
    this.#child.once('exit', () => this.#lose())
    this.#child.unref()
    this.#keepAlive()
  }

  /** Whether it has started and is still there. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Programs that it has been asked for and not started yet. */
  get unstarted(): number {
    return this.#unstarted
  }

  spawn(options: SpawnOptions): Spawned {
    this.#unstarted++
    const id = ++this.#lastId
    const waiting: Waiting = { started: Promise.withResolvers(), exit: Promise.withResolvers() }
    this.#waiting.set(id, waiting)
    this.#keepAlive()
    const request: Request = { id, ...options }
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    return { started: waiting.started.promise, exit: waiting.exit.promise }
  }

  close(): void {
    this.#isReady = false
    this.#child.stdin.end()
  }

  #hear(reply: Reply): void {
    if (reply.kind === 'ready') {
      this.#isReady = true
      return
    }
    const waiting = this.#waiting.get(reply.id)
    if (waiting === undefined) return
    if (reply.kind !== 'ended') this.#unstarted--
    if (reply.kind === 'started') waiting.started.resolve(reply.pid)
    else {
      if (reply.kind === 'ended') waiting.exit.resolve(reply.exit)
      else waiting.started.reject(Object.assign(new Error(reply.message), { code: reply.code }))
      this.#waiting.delete(reply.id)
      this.#keepAlive()
    }
  }

  /** It is gone. What it had started may go on, but nobody will ever tell how that ended. */
  #lose(): void {
    this.#isReady = false
    for (const { started, exit } of this.#waiting.values()) {
      started.reject(Object.assign(new Error('the process that starts programs was ended'), { code: 'EAGAIN' }))
      exit.resolve({ kind: 'lost' })
    }
    this.#waiting.clear()
    this.#keepAlive()
  }

  /** Whoever waits for a program keeps this process alive; an idle spawner does not. */
  #keepAlive(): void {
    for (const stream of [this.#child.stdin, this.#child.stdout])
      if (stream instanceof Socket) this.#waiting.size > 0 ? stream.ref() : stream.unref()
  }
}

/** From the sources, or beside the chunk of the bundle that this is in. */
function programFile(): string {
  const name = import.meta.url.endsWith('.ts') ? './spawner.ts' : './spawner.js'
  return fileURLToPath(new URL(name, import.meta.url))
}
