import { isJsonObject, type JsonObject } from '../../util/json.ts'
import { providers } from '../names/known-names.ts'
import type { Route } from '../route.ts'
import { Refused } from '../sim/server/refusal.ts'
import type { Api } from './apis/api.ts'
import { textIn } from './apis/reading.ts'

/** A request as it goes to the provider. */
export interface Prepared {
  readonly body: JsonObject
  /** The same as text; the agent's own bytes if nothing had to be changed. */
  readonly text: string
  /** The longest answer, and all answers together. */
  readonly max_output_tokens: number
  readonly max_output_in_all: number
  readonly hides_usage: boolean
  /** Notices for people, each once. */
  readonly notices: readonly string[]
}

interface Written {
  readonly body: JsonObject
  /** The same as it came. */
  readonly text: string
  readonly api: Api
}

/**
 * Long enough for what agents write in one turn; a model's own limit is often so high that reserving it blocks all
 * other calls.
 */
const defaultLimit = 16_384

/**
 * The only changes in an agent's request: the provider's name for the model, a limit if there is none, removal of tools
 * that the provider would execute, and a request for the usage. Throws a Refused by name for what can't be priced in
 * advance, or replayed. `ownLimit`: the longest answer in the user's own settings.
 */
export function prepareRequest({ body: written, text, api }: Written, route: Route, ownLimit?: number): Prepared {
  refuseUnspoken(api, route)
  const unpriced = api.unpriced(written)
  if (unpriced !== null)
    throw new Refused({
      status: 400,
      message: `assay: the model proxy does not take ${unpriced.param}: ${unpriced.why}`,
      param: unpriced.param,
      code: 'unsupported_parameter',
    })
  const { body: own, removed } = withoutHosted(written, api)
  const limit = limitFor(own, api, route, ownLimit)
  const counted = api.withUsage(own, route)
  const named = counted.model === route.model || route.kind === 'sim' ? counted : { ...counted, model: route.model }
  const body = limit.added === null ? named : { ...named, [limit.added]: limit.tokens }
  return {
    body,
    text: body === written ? text : JSON.stringify(body),
    max_output_tokens: limit.tokens,
    max_output_in_all: limit.tokens * api.choices(body),
    hides_usage: counted.stream_options !== own.stream_options,
    notices: [
      ...removed.map(tool => `${route.name}: ${hostedNotice(tool)}`),
      ...(limit.added === null ? [] : [`${route.name}: ${limitNotice(limit.tokens)}`]),
      ...unappliedNotices(route),
    ],
  }
}

function refuseUnspoken(api: Api, route: Route): void {
  if (api.speaks(route)) return
  const { name, provider, kind } = route
  const title = providers[provider]?.title ?? provider
  const isOpenaiLike = kind === 'openai-compatible' || kind === 'openrouter'
  const setting = api.endpoint.endsWith('/responses') && isOpenaiLike ? 'responses' : null
  const hint =
    setting === null
      ? 'give the agent a model whose provider speaks it'
      : `if its server does, say so under models: ${name}: { api: ${setting} }`
  throw new Refused({
    status: 400,
    message: `assay: ${name} is served by ${title}, which is not known to speak ${api.title} (${api.endpoint}); ${hint}`,
    code: 'unsupported_api',
  })
}

/** The same body if there are none. */
function withoutHosted(body: JsonObject, api: Api): { readonly body: JsonObject; readonly removed: readonly string[] } {
  const { tools, tool_choice, ...rest } = body
  if (!Array.isArray(tools)) return { body, removed: [] }
  const isHosted = (tool: unknown): tool is JsonObject => isJsonObject(tool) && api.isHosted(tool)
  const removed = [...new Set(tools.filter(isHosted).map(({ type }) => textIn(type)))]
  if (removed.length === 0) return { body, removed }
  const left = tools.filter(tool => !isHosted(tool))
  // An empty list of tools is refused, and so is a choice among none.
  return { body: left.length === 0 ? rest : { ...body, tools: left }, removed }
}

interface Limit {
  readonly tokens: number
  /** The parameter that was added, if the agent had none. */
  readonly added: string | null
}

function limitFor(body: JsonObject, api: Api, route: Route, ownLimit: number | undefined): Limit {
  const { max_output = defaultLimit, context = defaultLimit } = route.setting
  const usual = ownLimit ?? Math.min(defaultLimit, max_output, context)
  const written = api.limitOf(body)
  if (written !== null) return { tokens: written, added: null }
  return { tokens: usual, added: api.limitName(route) }
}

const hostedNotice = (tool: string): string =>
  `the agent offers the tool ${tool}, which the provider would perform itself, at a separate price and with network access; it is left out`

const limitNotice = (tokens: number): string =>
  `the agent sets no limit to an answer's length, so ${tokens} tokens are sent as one; max_output under models changes it`

/** The model's settings are for assay's own calls. */
const unappliedNotices = ({ name, setting }: Route): readonly string[] => {
  const unapplied = (['temperature', 'top_p', 'reasoning', 'options'] as const).filter(
    key => setting[key] !== undefined,
  )
  if (unapplied.length === 0) return []
  return [
    `${name}: the agent writes its own requests, so that ${unapplied.join(', ')} of the model's settings do not apply to them`,
  ]
}
