import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { networkInterfaces } from 'node:os'
import { createAdaptorServer } from '@hono/node-server'
import { systemCode } from '../util/errors.ts'
import { dashboardApp } from './app.ts'
import type { Controls } from './control.ts'
import { Experiments } from './experiments/experiments.ts'

export interface DashboardOptions {
  /** The folder to search for experiments. */
  readonly root: string
  readonly host: string
  /** 0: one that is free. */
  readonly port: number
  /** How many following ports are tried if the port is taken. */
  readonly more: number
  readonly controls: Controls
}

export interface Dashboard {
  /** Without the token. */
  readonly address: string
  /** The address to open: with the token, if there is one. */
  readonly url: string
  /** The same for others, where all addresses of this machine are listened on. */
  readonly elsewhere: readonly string[]
  readonly token: string | null
  readonly experiments: number
  close(): Promise<void>
}

/** Shows the experiments under a folder until it is closed. Only this machine may ask, unless another address is given: then a token is needed. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const experiments = new Experiments(options.root)
  const token = isLoopback(options.host) ? null : randomBytes(24).toString('base64url')
  const closing = new AbortController()
  const { host, controls } = options
  const app = dashboardApp({ experiments, controls, host, token, closing: closing.signal })
  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server
  const port = await listening(server, options)
  const isAll = host === '0.0.0.0' || host === '::'
  const address = addressOf(isAll ? '127.0.0.1' : host, port)
  const withToken = (where: string): string => (token === null ? where : `${where}?token=${token}`)
  return {
    address,
    url: withToken(address),
    elsewhere: isAll ? ownAddresses().map(one => withToken(addressOf(one, port))) : [],
    token,
    experiments: experiments.all().size,
    async close() {
      closing.abort()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const addressOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}/`

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap(found => found ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address)

const isLoopback = (host: string): boolean =>
  ['127.0.0.1', '::1', 'localhost'].includes(host) || host.startsWith('127.')

/** The port that was wanted, or the next that is free. */
async function listening(server: Server, { port, host, more }: DashboardOptions): Promise<number> {
  for (let tried = 0; ; tried++) {
    try {
      server.listen(port === 0 ? 0 : port + tried, host)
      await once(server, 'listening')
      const place = server.address()
      return typeof place === 'object' && place !== null ? place.port : port
    } catch (error) {
      if (systemCode(error) !== 'EADDRINUSE' || port === 0 || tried >= more) throw error
    }
  }
}
