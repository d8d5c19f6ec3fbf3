import { messageOf, systemCode } from '../../util/errors.ts'
import { isJsonObject } from '../../util/json.ts'
import { withoutAddressSecrets } from '../../util/secrets.ts'
import type { Redact } from '../keys/redact.ts'
import { ContextTooLong, ModelError, type ModelErrorFacts, type ModelFault } from '../model-error.ts'
import { providers } from '../names/known-names.ts'
import type { Route } from '../route.ts'
import { contextFacts } from './context-facts.ts'
import { faultOfStatus } from './fault-of-status.ts'
import { retryAfterMs } from './retry-after.ts'

export interface ProviderErrorParts {
  readonly route: Route
  readonly redact: Redact
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether a part of the answer had already arrived. */
  readonly has_begun: boolean
}

/** Converts everything that a provider's package throws to a ModelError: once, here, with no key left in it. */
export function errorOfProvider(error: unknown, parts: ProviderErrorParts): ModelError {
  if (error instanceof ModelError) return error
  const said = read(error)
  if (said.status !== null && said.status >= 400) return ofStatus(said.status, said, error, parts)
  if (said.name === 'AI_LoadAPIKeyError' || said.name === 'AI_LoadSettingError')
    return failure('missing_key', said.text, 'nothing', error, parts)
  if (said.name === 'AI_NoSuchModelError') return failure('unknown_model', said.text, 'nothing', error, parts)
  if (said.name === 'AI_UnsupportedFunctionalityError')
    return failure('bad_request', said.text, 'nothing', error, parts)
  return ofConnection(error, parts)
}

/** Providers may also report a failure within an answer that began well. */
function ofStatus(status: number, said: Said, error: unknown, parts: ProviderErrorParts): ModelError {
  const fault = faultOfStatus(status, `${said.text} ${said.body}`)
  const retry_after_ms = retryAfterMs({ headers: said.headers, body: said.body, now: parts.now })
  const cost = parts.has_begun ? 'unknown' : 'nothing'
  const message = `${title(parts.route)} answered ${status}: ${said.text}`
  return failure(fault, message, cost, error, parts, { status, retry_after_ms })
}

/** There was no answer, or it was incomplete. */
function ofConnection(error: unknown, parts: ProviderErrorParts): ModelError {
  const causes = causesOf(error)
  const why = deepestOf(causes)
  const has = (...wanted: readonly string[]): boolean => causes.some(cause => wanted.includes(systemCode(cause) ?? ''))
  if (has('UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'))
    return failure('no_answer', 'there was no response for five minutes', 'unknown', error, parts)
  if (has(...lostOnTheWay) || isCut(causes))
    return failure('answer_cut', `the connection ended before the answer was complete: ${why}`, 'unknown', error, parts)
  if (has(...neverReached) || causes.some(cause => /^cannot connect to api/i.test(textIn(cause))))
    return failure('connection_failed', `${placeOf(parts.route)} can't be reached: ${why}`, 'nothing', error, parts)
  return failure('malformed_response', `the response does not match the API: ${why}`, 'unknown', error, parts)
}

const lostOnTheWay = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

const isCut = (causes: readonly unknown[]): boolean =>
  causes.some(cause => /terminated|without a finish reason|premature close|other side closed/i.test(textIn(cause)))

/** The outer errors wrap the others in their own words; the innermost says what happened. */
const deepestOf = (causes: readonly unknown[]): string => brief(textIn(causes.at(-1)))

const neverReached = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
]

function failure(
  fault: ModelFault,
  message: string,
  cost: ModelErrorFacts['cost'],
  cause: unknown,
  { route, redact }: ProviderErrorParts,
  more: Partial<ModelErrorFacts> = {},
): ModelError {
  const text = redact(`${route.name}: ${brief(message)}`)
  const facts = {
    model: route.name,
    provider: route.provider,
    cost,
    hint: hintFor(fault, route),
    // The package's own error contains headers and bodies with keys: only its message is passed on.
    cause: new Error(redact(messageOf(cause))),
    ...more,
  }
  if (fault !== 'context_too_long') return new ModelError(fault, text, facts)
  const { used, allowed } = contextFacts(message)
  return new ContextTooLong(text, { ...facts, used, allowed: allowed ?? route.setting.context ?? null })
}

function hintFor(fault: ModelFault, { key, provider, address: at }: Route): string | undefined {
  switch (fault) {
    case 'wrong_key':
      return key === null ? undefined : `look at ${key}, in the environment or in .env`
    case 'unknown_model':
      return 'assay models check shows where a name goes, and what is nearest'
    case 'connection_failed':
      return provider === 'ollama' ? `is Ollama running at ${at}?` : undefined
    default:
      return undefined
  }
}

/** The provider; for an OpenAI-compatible server only the address is known. */
const title = ({ provider, address }: Route): string =>
  (provider === 'openai-compatible' ? address : providers[provider]?.title) ?? provider
const placeOf = (route: Route): string => withoutAddressSecrets(route.address ?? title(route))
const brief = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 400 ? line : `${line.slice(0, 399)}…`
}

interface Said {
  readonly name: string
  readonly status: number | null
  readonly text: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** The facts of an error of the AI SDK, or of one within a stream, in any of its forms. */
function read(error: unknown): Said {
  const facts: { readonly [key: string]: unknown } = typeof error === 'object' && error !== null ? { ...error } : {}
  // OpenRouter reports failures of others within a response that is fine by its status.
  const inner: { readonly [key: string]: unknown } = isJsonObject(facts.data) ? facts.data : {}
  const status = [facts.statusCode, facts.status, facts.code, inner.code].find(
    one => typeof one === 'number' && one >= 400 && one < 600,
  )
  const name = error instanceof Error ? error.name : ''
  const body = typeof facts.responseBody === 'string' ? facts.responseBody : ''
  const type = typeof facts.type === 'string' ? facts.type : ''
  return {
    name,
    status: typeof status === 'number' ? status : statusOfType(type),
    text: textIn(error) || body.slice(0, 300) || name,
    headers: headersIn(facts.responseHeaders),
    body,
  }
}

/** Errors within a stream have a type instead of a status. */
function statusOfType(type: string): number | null {
  const statuses: { readonly [type: string]: number } = {
    overloaded_error: 529,
    rate_limit_error: 429,
    rate_limit_exceeded: 429,
    insufficient_quota: 402,
    api_error: 500,
    server_error: 500,
    internal_server_error: 500,
    authentication_error: 401,
    permission_error: 403,
    not_found_error: 404,
    invalid_request_error: 400,
  }
  return statuses[type] ?? null
}

function textIn(error: unknown): string {
  if (typeof error === 'string') return error
  if (error instanceof Error) return error.message
  if (typeof error !== 'object' || error === null) return String(error ?? '')
  return 'message' in error && typeof error.message === 'string' ? error.message : JSON.stringify(error)
}

function headersIn(headers: unknown): Said['headers'] {
  if (!isJsonObject(headers)) return {}
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

/** The error, its cause, the cause of that, … */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = []
  for (let here = error; here !== undefined && here !== null && causes.length < 10; ) {
    causes.push(here)
    here = here instanceof Error ? here.cause : undefined
  }
  return causes
}
