import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onStop } from '../../define/outcome.ts'
import type { LimitReached } from '../../define/permits.ts'
import { AssayError } from '../../util/errors.ts'
import type { RunCalls, RunOfCalls } from '../calls/run-calls.ts'
import type { Environment } from '../keys/access.ts'
import type { Redact } from '../keys/redact.ts'
import type { CallTotals } from '../model-call.ts'
import type { ModelError } from '../model-error.ts'
import type { SimFetchRequest } from '../sim/server/sim-fetch.ts'
import { agentPurpose, Relay } from './relay.ts'
import { serve } from './serve.ts'

export interface ProxyOptions {
  /** The owner of the calls: its permits, cached answers and trace. */
  readonly run: RunOfCalls
  /** A path for a unix socket, or a port on this machine (0: any free one). */
  readonly listen: { readonly socket: string } | { readonly port: number }
  /** Models that an agent may find in the list, in addition to those of the `models:` section. */
  readonly listed?: readonly string[]
  /** Aborted when the run is asked to end: current calls are interrupted and settled. */
  readonly signal: AbortSignal
  /** A limit leaves no room for a call: the agent gets an error, and must be ended. */
  onLimit?(limit: LimitReached): void
}

/** The address under which an agent reaches models: metered, limited and written down; the real key stays here. */
export interface ModelProxy {
  /** null: it listens on a port. */
  readonly socket: string | null
  /** null: it listens on a socket. */
  readonly port: number | null
  /** The agent's key: worthless anywhere else. */
  readonly key: string
  /** The environment variables with which an agent finds the proxy at 127.0.0.1 and this port: by default its own. */
  variables(port?: number): Readonly<Record<string, string>>
  /** Everything that was called through it so far. */
  totals(): CallTotals
  /** How many tools the answers so far have called. */
  readonly toolCalls: number
  /** The limit that ended it; null: none did. */
  readonly limit: LimitReached | null
  /** The error of the last call; null: it succeeded. */
  readonly problem: ModelError | null
  /** Interrupts current calls; resolves when all of them are settled and recorded. */
  close(): Promise<void>
}

/** What the models of the experiment provide to it. */
interface ProxyParts {
  readonly calls: RunCalls
  /** Where the real keys are; see `environmentFor`. */
  readonly env: Environment
  readonly redact: Redact
  /** Something that people should know, once each. */
  onNotice(notice: string): void
}

export async function openProxy(options: ProxyOptions, { calls, ...parts }: ProxyParts): Promise<ModelProxy> {
  const { run, signal, listed = [], onLimit } = options
  const ended = new AbortController()
  const stop = AbortSignal.any([signal, ended.signal])
  const simulated = simulatedFor(run, calls)
  const relay = new Relay({ ...parts, calls, signal: stop, onLimit, simulated })
  const key = `assay-${randomBytes(24).toString('hex')}`
  const names = [...new Set([...listed, ...Object.keys(calls.parts.settings)])]
  const served = { relay, key, models: names, isKeeping: calls.kept !== null, signal: stop }
  const underWay = new Set<Promise<void>>()
  const server = createServer((request, response) => {
    const done = serve(request, response, served)
    underWay.add(done)
    void done.finally(() => underWay.delete(done))
  })
  // An agent may think for minutes between two requests; it ends with the run.
  server.keepAliveTimeout = 0
  const place = await listen(server, options.listen)
  const release = onStop(signal, () => server.closeAllConnections())
  return {
    ...place,
    key,
    variables: (port = place.port ?? 0) => variablesFor(port, key),
    totals: () => calls.totals.sum,
    get toolCalls() {
      return relay.toolCalls
    },
    get limit() {
      return relay.limit
    },
    get problem() {
      return relay.problem
    },
    async close() {
      release()
      ended.abort({ kind: 'cancelled', message: 'the model proxy was closed' })
      const closed = server.listening ? once(server, 'close') : null
      server.close()
      server.closeAllConnections()
      await closed
      await Promise.all(underWay)
      if (place.socket !== null) await rm(place.socket, { force: true })
    },
  }
}

/** The maximum length of a socket's name in bytes (`sun_path`); a longer one is silently truncated. */
const longestPath = 107

async function listen(
  server: Server,
  where: ProxyOptions['listen'],
): Promise<{ readonly socket: string | null; readonly port: number | null }> {
  if ('port' in where) {
    server.listen(where.port, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return { socket: null, port }
  }
  const { socket } = where
  if (Buffer.byteLength(socket) > longestPath)
    throw new AssayError(
      'config',
      `the model proxy can't listen at ${socket}: a socket's path has at most ${longestPath} bytes`,
    )
  // Left by an attempt that was killed.
  await rm(socket, { force: true })
  server.listen(socket)
  await once(server, 'listening')
  await chmod(socket, 0o600)
  return { socket, port: null }
}

/** Read only where a simulated model is asked. */
function simulatedFor(run: RunOfCalls, calls: RunCalls) {
  const { settings, clock } = calls.parts
  const open = async () => {
    const { simFetch } = await import('../sim/server/sim-fetch.ts')
    return simFetch({ settings, seed: run.seed, clock, purpose: agentPurpose, earlier_tries: calls.drawOf(0) })
  }
  let opened: ReturnType<typeof open> | undefined
  return async (request: SimFetchRequest): Promise<Response> => {
    opened ??= open()
    return (await opened)(request)
  }
}

const variablesFor = (port: number, key: string): Readonly<Record<string, string>> => ({
  OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
  OPENAI_API_KEY: key,
  ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
  ANTHROPIC_API_KEY: key,
})
