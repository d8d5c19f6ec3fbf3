import { once } from 'node:events'
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { ModelSettings } from '../../../define/models/model-settings.ts'
import { systemClock } from '../../../util/system-clock.ts'
import { presets } from '../../names/known-names.ts'
import { serverState } from './answer-request.ts'
import { Bill, type BillTotals } from './bill.ts'
import { type SimKeys, simApp } from './sim-app.ts'

export interface SimServerOptions {
  readonly settings: ModelSettings
  /** 0: any free one. */
  readonly port: number
  /** The seed for requests that bring none. */
  readonly seed: number
  /** The accepted keys; default: any, and only a missing key is refused. */
  readonly keys?: SimKeys
}

export interface SimServer {
  /** `http://127.0.0.1:4010/v1` */
  readonly address: string
  readonly models: readonly string[]
  /** The charges so far. */
  bill(): BillTotals
  close(): Promise<void>
}

/**
 * Simulated models behind the formats of OpenAI (chat completions, responses, embeddings) and Anthropic (messages), on
 * this machine only, for programs in any language. A model that is not simulated is answered as in a rehearsal, so that
 * a program need not be changed.
 */
export async function startSimServer(options: SimServerOptions): Promise<SimServer> {
  const { settings, seed, keys = 'any' } = options
  const bill = new Bill(settings)
  const models = simNames(settings)
  const state = serverState({ settings, seed, clock: systemClock, bill })
  const { fetch } = simApp(state, { keys, models })
  const server = createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const place = server.address()
  const port = typeof place === 'object' && place !== null ? place.port : options.port
  return {
    address: `http://127.0.0.1:${port}/v1`,
    models,
    bill: () => bill.totals(),
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

const simNames = (settings: ModelSettings): readonly string[] =>
  [...new Set([...Object.keys(presets), ...Object.keys(settings)])].filter(name => name.startsWith('sim/'))
