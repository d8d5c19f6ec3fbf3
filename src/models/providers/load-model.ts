import type { Environment } from '../keys/access.ts'
import { awsAccess } from '../keys/aws-access.ts'
import type { Route } from '../route.ts'
import type { SdkModel } from './language-model.ts'

/**
 * The model of a route, from the package of its provider, which is only loaded now, since each takes tens of
 * milliseconds. `fetch`: carries its requests instead of the network.
 */
export async function loadModel(route: Route, env: Environment, fetch?: typeof globalThis.fetch): Promise<SdkModel> {
  const { model, address, provider, setting } = route
  const common = { ...(address !== null && { baseURL: address }), ...(fetch !== undefined && { fetch }) }
  const key = route.key === null ? '' : (env[route.key]?.trim() ?? '')
  switch (route.kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openai = createOpenAI({ ...common, apiKey: key })
      return setting.api === 'responses' ? openai.responses(model) : openai.chat(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ ...common, apiKey: key })(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ ...common, apiKey: key })(model)
    }
    case 'vertex': {
      const { createGoogleVertex } = await import('@ai-sdk/google-vertex')
      return createGoogleVertex({ ...common, ...vertexPlace(env) })(model)
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      const access = awsAccess(env)
      return createAmazonBedrock({ ...common, ...('missing' in access ? {} : access) })(model)
    }
    case 'openrouter': {
      const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
      return createOpenRouter({ ...common, apiKey: key, compatibility: 'strict' }).chat(model, {
        usage: { include: true },
      })
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        ...common,
        name: provider,
        baseURL: address ?? '',
        ...(key === '' ? {} : { apiKey: key }),
        includeUsage: true,
        supportsStructuredOutputs: setting.structured ?? false,
        transformRequestBody: body => inWordsOf(provider, body),
      })(model)
    }
    case 'sim':
      throw new Error('a simulated model is no model of a provider')
  }
}

/** Names that differ between a provider and OpenAI. */
function inWordsOf(provider: string, body: Record<string, unknown>): Record<string, unknown> {
  const words = otherWords[provider]
  if (words === undefined) return body
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [words[key] ?? key, value]))
}

const otherWords: { readonly [provider: string]: { readonly [openai: string]: string } } = {
  mistral: { seed: 'random_seed' },
  // Only this one is known to limit reasoning too.
  'x-ai': { max_tokens: 'max_completion_tokens' },
}

/** A project with the machine's own login, or a key. Google's tools and the AI SDK use different names. */
function vertexPlace(env: Environment): { project?: string; location?: string; apiKey?: string } {
  const project = env.GOOGLE_VERTEX_PROJECT ?? env.GOOGLE_CLOUD_PROJECT ?? env.VERTEXAI_PROJECT
  const location = env.GOOGLE_VERTEX_LOCATION ?? env.GOOGLE_CLOUD_LOCATION ?? env.VERTEXAI_LOCATION ?? 'global'
  const apiKey = env.GOOGLE_VERTEX_API_KEY?.trim()
  if (apiKey) return { apiKey }
  return project === undefined ? { location } : { project, location }
}
