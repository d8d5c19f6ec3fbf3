import { type Provider, providers } from '../names/known-names.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A variable that is set and not empty: an empty key in a `.env` file is not a key. */
export function firstSet(env: Environment, names: readonly string[]): string | null {
  return names.find(name => (env[name] ?? '').trim() !== '') ?? null
}

/** Whether calls to a provider are possible: its key is set, or it needs none. */
export function isSetUp(name: string, env: Environment, key?: string | undefined): boolean {
  if (key !== undefined) return firstSet(env, [key]) !== null
  const provider = providers[name]
  if (provider === undefined) return false
  if (provider.kind === 'bedrock') return firstSet(env, bedrockAccess) !== null
  if (provider.settings !== undefined) return firstSet(env, provider.settings) !== null
  return provider.keys.length === 0 || firstSet(env, provider.keys) !== null
}

/** Each of these gives access; the last two need additional settings, which are checked on use. */
const bedrockAccess = ['AWS_BEARER_TOKEN_BEDROCK', 'AWS_ACCESS_KEY_ID', 'AWS_PROFILE'] as const

/** The settings that the user must make. */
export function accessHint(name: string, { title, keys, settings, kind }: Provider): string {
  if (kind === 'bedrock')
    return 'set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE'
  if (settings !== undefined) return `set ${settings[0]} (and sign in with gcloud auth application-default login)`
  return `set ${keys[0] ?? name} for ${title}, in the environment or in a .env file`
}
