import { expect, test } from 'vitest'
import { awsAccess } from '../../../src/models/keys/aws-access.ts'
import { redactor } from '../../../src/models/keys/redact.ts'
import { ModelError } from '../../../src/models/model-error.ts'
import { environmentFor } from '../../../src/models/model-facts.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { folderWith } from '../../support/assay.ts'

test('.env files add to the environment, which takes precedence, the nearest file first', () => {
  const near = folderWith({ '.env': 'A=near\nB="quoted # not a comment"\nC=file\n' })
  const far = folderWith({ '.env': 'A=far\nD=far\n' })
  expect(environmentFor([near, far], { C: 'set' })).toEqual({
    A: 'near',
    B: 'quoted # not a comment',
    C: 'set',
    D: 'far',
  })
  expect(environmentFor([folderWith()], { X: '1', Y: undefined })).toEqual({ X: '1' })
})

test('a missing key is named, with advice', async () => {
  const models = openModels({ env: {} })
  const problem = async (name: string): Promise<string> => {
    const error = await models.find(name).catch((thrown: unknown) => thrown)
    if (!(error instanceof ModelError)) throw new Error(`${name} was found`)
    return `${error.fault}: ${error.message}; ${error.hint}`
  }
  expect(await problem('gpt-4o-mini')).toBe(
    'missing_key: gpt-4o-mini: OPENAI_API_KEY is not set; set OPENAI_API_KEY for OpenAI, in the environment or in a .env file',
  )
  expect(await problem('anthropic/claude-3-haiku')).toContain(
    'or set OPENROUTER_API_KEY, and it goes through OpenRouter',
  )
  expect(await problem('bedrock-qwen3-32b')).toContain('AWS_REGION')
  expect(await problem('gemini-2.5-flash')).toContain('GOOGLE_VERTEX_PROJECT')
})

test('finds a key that is set later', async () => {
  const env: Record<string, string> = {}
  const models = openModels({ env })
  await expect(models.find('gpt-4o-mini')).rejects.toThrow('OPENAI_API_KEY is not set')
  env.OPENAI_API_KEY = 'there'
  await expect(models.find('gpt-4o-mini')).resolves.toMatchObject({ route: { key: 'OPENAI_API_KEY' } })
})

test('keys are distinguished by a digest that does not reveal them', async () => {
  const digest = async (key: string) => (await openModels({ env: { OPENAI_API_KEY: key } }).find('gpt-4o')).key_digest
  expect(await digest('sk-one')).toMatch(/^[0-9a-f]{8}$/)
  expect(await digest('sk-one')).not.toBe(await digest('sk-two'))
})

const region = { AWS_REGION: 'eu-west-2' }

test('Bedrock accepts four kinds of credentials', () => {
  const home = folderWith({
    '.aws/credentials':
      '[default]\naws_access_key_id = D\naws_secret_access_key = d\n\n[lab]\naws_access_key_id = L\naws_secret_access_key = l\naws_session_token = t\n',
    '.aws/config':
      '[default]\nregion = us-east-1\n[profile lab]\nregion = eu-central-1\n[profile sso]\nsso_session = x\nregion = eu-west-1\n',
  })
  expect(awsAccess({ ...region, AWS_BEARER_TOKEN_BEDROCK: 'bearer' })).toEqual({
    region: 'eu-west-2',
    apiKey: 'bearer',
  })
  expect(awsAccess({ ...region, AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's' })).toEqual({
    region: 'eu-west-2',
    accessKeyId: 'A',
    secretAccessKey: 's',
  })
  expect(
    awsAccess({ ...region, AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' }),
  ).toMatchObject({
    sessionToken: 't',
  })
  expect(awsAccess({ HOME: home, AWS_PROFILE: 'lab' })).toEqual({
    region: 'eu-central-1',
    accessKeyId: 'L',
    secretAccessKey: 'l',
    sessionToken: 't',
  })
  expect(awsAccess({ HOME: home, AWS_PROFILE: 'default', AWS_DEFAULT_REGION: 'eu-west-3' })).toMatchObject({
    region: 'eu-west-3',
    accessKeyId: 'D',
  })
})

test('missing credentials for Bedrock are named', () => {
  const home = folderWith({ '.aws/config': '[profile sso]\nsso_session = x\nregion = eu-west-1\n' })
  expect(awsAccess({ AWS_BEARER_TOKEN_BEDROCK: 'x' })).toMatchObject({ missing: 'no AWS region is set' })
  expect(awsAccess(region)).toMatchObject({ missing: 'no AWS credentials are set' })
  expect(awsAccess({ ...region, AWS_ACCESS_KEY_ID: 'A' })).toMatchObject({ missing: expect.stringContaining('SECRET') })
  expect(awsAccess({ HOME: home, AWS_PROFILE: 'sso' })).toMatchObject({
    missing: 'the AWS profile "sso" uses sso_session',
    hint: expect.stringContaining('export-credentials --profile sso'),
  })
  expect(awsAccess({ ...region, HOME: home, AWS_PROFILE: 'nope' })).toMatchObject({
    missing: 'the AWS profile "nope" has no keys',
  })
})

test('removes keys from texts, also in JSON’s spelling, and keeps short words', () => {
  const redact = redactor({ OPENAI_API_KEY: 'sk-"quoted"-key', DEEPSEEK_API_KEY: 'none', MINE: 'my-own-secret' }, [
    'MINE',
  ])
  expect(redact('a sk-"quoted"-key b')).toBe('a [key] b')
  expect(redact(JSON.stringify({ key: 'sk-"quoted"-key' }))).toBe('{"key":"[key]"}')
  expect(redact('none of my-own-secret')).toBe('none of [key]')
})
