import { sha256 } from '../../util/hash.ts'
import { ModelError } from '../model-error.ts'
import { providers } from '../names/known-names.ts'
import type { Route } from '../route.ts'
import { accessHint, type Environment, firstSet, isSetUp } from './access.ts'
import { awsAccess } from './aws-access.ts'

/** Distinguishes a provider's keys without revealing them. Throws a ModelError if the key is missing. */
export function keyDigest(route: Route, env: Environment): string {
  if (route.kind === 'sim') return 'none'
  if (route.provider === 'bedrock') return awsDigest(route, env)
  const provider = providers[route.provider]
  const needsKey = route.setting.key !== undefined || (provider !== undefined && provider.keys.length > 0)
  if (route.kind === 'vertex' && !isSetUp('vertex', env)) throw missing(route, 'no Google Cloud project is set')
  if (!needsKey) return 'none'
  if (route.key === null || firstSet(env, [route.key]) === null) throw missing(route, `${route.key} is not set`)
  return digest(env[route.key] ?? '')
}

function awsDigest(route: Route, env: Environment): string {
  const access = awsAccess(env)
  if ('missing' in access) throw missing(route, access.missing, access.hint)
  return digest(access.apiKey ?? access.accessKeyId ?? '')
}

function missing(route: Route, what: string, hint?: string): ModelError {
  const provider = providers[route.provider]
  const usual = provider === undefined ? undefined : accessHint(route.provider, provider)
  const own =
    route.setting.key === undefined ? undefined : `set ${route.setting.key}, in the environment or in a .env file`
  const around = route.has_detour ? '; or set OPENROUTER_API_KEY, and it goes through OpenRouter' : ''
  return new ModelError('missing_key', `${route.name}: ${what}`, {
    model: route.name,
    provider: route.provider,
    cost: 'nothing',
    hint: hint ?? own ?? `${usual}${around}`,
  })
}

/** Enough to distinguish a handful of keys, far too little to reconstruct one. */
const digest = (key: string): string => sha256(key.trim()).slice(0, 8)
