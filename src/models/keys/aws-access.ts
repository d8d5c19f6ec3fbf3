import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from './access.ts'

/** How requests to Bedrock are signed. */
export interface AwsAccess {
  readonly region: string
  readonly apiKey?: string
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly sessionToken?: string
}

/** What is missing, in a sentence, and what to do. */
export interface MissingAccess {
  readonly missing: string
  readonly hint: string
}

/**
 * A bearer token, static keys (with a session token if there is one), or the keys of a profile in AWS's own files, in
 * this order; the region from AWS_REGION, AWS_DEFAULT_REGION or the profile.
 */
export function awsAccess(env: Environment): AwsAccess | MissingAccess {
  const profile = set(env.AWS_PROFILE)
  const found = profile === undefined ? {} : readProfile(profile, env)
  const region = set(env.AWS_REGION) ?? set(env.AWS_DEFAULT_REGION) ?? found.region
  if (region === undefined)
    return { missing: 'no AWS region is set', hint: 'set AWS_REGION (or AWS_DEFAULT_REGION), e.g. eu-west-2' }
  const apiKey = set(env.AWS_BEARER_TOKEN_BEDROCK)
  if (apiKey !== undefined) return { region, apiKey }
  const id = set(env.AWS_ACCESS_KEY_ID)
  const secret = set(env.AWS_SECRET_ACCESS_KEY)
  if (id !== undefined && secret !== undefined) return keys(region, id, secret, set(env.AWS_SESSION_TOKEN))
  if (id !== undefined)
    return { missing: 'AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not', hint: 'set both, or neither' }
  if (profile === undefined)
    return {
      missing: 'no AWS credentials are set',
      hint: 'set AWS_BEARER_TOKEN_BEDROCK, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
    }
  const { aws_access_key_id, aws_secret_access_key, aws_session_token } = found
  if (aws_access_key_id === undefined || aws_secret_access_key === undefined) return noKeysIn(profile, found)
  return keys(region, aws_access_key_id, aws_secret_access_key, aws_session_token)
}

const keys = (region: string, accessKeyId: string, secretAccessKey: string, sessionToken?: string): AwsAccess => ({
  region,
  accessKeyId,
  secretAccessKey,
  ...(sessionToken === undefined ? {} : { sessionToken }),
})

function noKeysIn(profile: string, found: Section): MissingAccess {
  const export_ = `eval "$(aws configure export-credentials --profile ${profile} --format env)" gives keys for a while`
  const way = ['sso_session', 'sso_start_url', 'role_arn', 'credential_process'].find(key => found[key] !== undefined)
  return {
    missing:
      way === undefined ? `the AWS profile "${profile}" has no keys` : `the AWS profile "${profile}" uses ${way}`,
    hint: way === undefined ? 'check ~/.aws/credentials and ~/.aws/config' : export_,
  }
}

interface Section {
  readonly [key: string]: string | undefined
}

/** Credentials count before the configuration, as AWS's own tools have it. */
function readProfile(profile: string, env: Environment): Section {
  const home = set(env.HOME) ?? homedir()
  const config = set(env.AWS_CONFIG_FILE) ?? join(home, '.aws', 'config')
  const credentials = set(env.AWS_SHARED_CREDENTIALS_FILE) ?? join(home, '.aws', 'credentials')
  return {
    ...section(config, profile === 'default' ? profile : `profile ${profile}`),
    ...section(credentials, profile),
  }
}

/** One section of a file such as `[profile lab]`; empty if there is none. */
function section(file: string, name: string): Section {
  const found: Record<string, string> = {}
  let isInside = false
  for (const line of linesOf(file)) {
    const head = /^\s*\[\s*(.+?)\s*\]/.exec(line)
    if (head !== null) isInside = head[1]?.replaceAll(/\s+/g, ' ').replaceAll('"', '') === name
    const [, key, value] = /^([\w-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (isInside && key !== undefined && value !== undefined && value !== '') found[key.toLowerCase()] = value
  }
  return found
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return []
  }
}

const set = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined)
