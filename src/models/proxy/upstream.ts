import type { Environment } from '../keys/access.ts'
import type { Route } from '../route.ts'

/** Where a request really goes, and with which key. */
export interface Upstream {
  /** Without the end that names the endpoint. */
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  /** Keys that must not come back; empty: there is no key. */
  readonly keys: readonly string[]
}

export function upstreamOf(route: Route, env: Environment): Upstream {
  const key = route.key === null ? '' : (env[route.key]?.trim() ?? '')
  const address = (route.address ?? defaultAddress[route.kind] ?? '').replace(/\/+$/, '')
  return { address, headers: key === '' ? {} : keyHeaders(route, key), keys: key === '' ? [] : [key] }
}

/** As the providers' packages have them. */
const defaultAddress: { readonly [K in Route['kind']]?: string } = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
}

const keyHeaders = ({ kind }: Route, key: string): Readonly<Record<string, string>> =>
  kind === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }

type SomeHeaders = { readonly [name: string]: string | readonly string[] | undefined }

/** The headers of an agent that are forwarded: not its key, nor those about its connection. */
export function requestHeaders(headers: SomeHeaders, { kind }: Route): Record<string, string> {
  return {
    ...(kind === 'anthropic' || kind === 'sim' ? { 'anthropic-version': '2023-06-01' } : {}),
    ...named(headers, name => toProvider.includes(name)),
    'content-type': 'application/json',
    // The stream is read in passing, so it must not be compressed.
    'accept-encoding': 'identity',
  }
}

const toProvider: readonly string[] = ['accept', 'user-agent', 'anthropic-version', 'anthropic-beta', 'openai-beta']

/** The headers of a provider that an agent gets: nothing about the owner of the key. */
export const responseHeaders = (headers: Headers): Record<string, string> =>
  named(Object.fromEntries(headers), name => toAgent.includes(name) || /^(anthropic|x)-ratelimit-/.test(name))

const toAgent: readonly string[] = [
  'content-type',
  'cache-control',
  'request-id',
  'x-request-id',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'openai-processing-ms',
  'openai-version',
]

const named = (headers: SomeHeaders, isWanted: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value !== undefined && isWanted(name) ? [[name, [value].flat().join(', ')]] : [],
    ),
  )
