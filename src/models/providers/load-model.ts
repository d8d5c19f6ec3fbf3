import type { Environment } from '../keys/access.ts'
import { awsAccess } from '../keys/aws-access.ts'
import type { Route } from '../route.ts'
import type { SdkModel } from './language-model.ts'

/** The model of a route, by the package of its provider: read only now, since each takes tens of milliseconds. */
export async function loadModel(route: Route, env: Environment): Promise<SdkModel> {
  const { model, address, provider, setting } = route
  const baseURL = address === null ? {} : { baseURL: address }
  const key = route.key === null ? '' : (env[route.key]?.trim() ?? '')
  switch (route.kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      const openai = createOpenAI({ ...baseURL, apiKey: key })
      return setting.api === 'responses' ? openai.responses(model) : openai.chat(model)
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ ...baseURL, apiKey: key })(model)
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle({ ...baseURL, apiKey: key })(model)
    }
    case 'vertex': {
      const { createGoogleVertex } = await import('@ai-sdk/google-vertex')
      return createGoogleVertex({ ...baseURL, ...vertexPlace(env) })(model)
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
      const access = awsAccess(env)
      return createAmazonBedrock({ ...baseURL, ...('missing' in access ? {} : access) })(model)
    }
    case 'openrouter': {
      const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
      return createOpenRouter({ ...baseURL, apiKey: key, compatibility: 'strict' }).chat(model, {
        usage: { include: true },
      })
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        name: provider,
        baseURL: address ?? '',
        ...(key === '' ? {} : { apiKey: key }),
        includeUsage: true,
        supportsStructuredOutputs: setting.structured ?? false,
      })(model)
    }
    case 'sim':
      throw new Error('a simulated model is no model of a provider')
  }
}

/** A project, with whatever the machine is signed in with, or a key. Google's tools and the AI SDK name things differently. */
function vertexPlace(env: Environment): { project?: string; location?: string; apiKey?: string } {
  const project = env.GOOGLE_VERTEX_PROJECT ?? env.GOOGLE_CLOUD_PROJECT ?? env.VERTEXAI_PROJECT
  const location = env.GOOGLE_VERTEX_LOCATION ?? env.GOOGLE_CLOUD_LOCATION ?? env.VERTEXAI_LOCATION ?? 'global'
  const apiKey = env.GOOGLE_VERTEX_API_KEY?.trim()
  if (apiKey) return { apiKey }
  return project === undefined ? { location } : { project, location }
}
