import type { ModelSettings } from '../../../define/models/model-settings.ts'
import type { Clock } from '../../../util/time.ts'
import { serverState } from './answer-request.ts'
import { Bill } from './bill.ts'
import { simApp } from './sim-app.ts'

export interface SimFetchOptions {
  readonly settings: ModelSettings
  /** The seed for requests that bring none. */
  readonly seed: number
  readonly clock: Clock
  /** The purpose of the requests, as rules see it. */
  readonly purpose: string
  /** How often everything was asked before: faults are drawn by it. */
  readonly earlier_tries: number
}

/** A request to a provider, after its key has been checked. */
export interface SimFetchRequest {
  /** `/v1/messages` */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly signal: AbortSignal
}

/** The simulated provider without a network: the same answers to the same requests, byte by byte. */
export function simFetch(options: SimFetchOptions): (request: SimFetchRequest) => Promise<Response> {
  const app = simApp(serverState({ ...options, bill: new Bill(options.settings) }), { keys: 'not_needed', models: [] })
  return async ({ path, headers, body, signal }) => {
    const connection = new AbortController()
    const outgoing = { destroy: () => connection.abort(new TypeError('terminated')) }
    const request = new Request(`http://simulated${path}`, { method: 'POST', headers, body, signal })
    const response = await app.fetch(request, { outgoing })
    const sent = response.body?.pipeThrough(new TransformStream(), { signal: connection.signal }) ?? null
    return new Response(sent, response)
  }
}
