import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { type StoreKeys, signRequest } from './sign-request.ts'

/** Where large files go: a bucket of S3 or of a compatible server. */
export interface StorePlace {
  readonly bucket: string
  /** Without slashes at its ends; '' for the bucket itself. */
  readonly prefix: string
}

export function parseStore(address: string): StorePlace {
  const [, bucket = '', prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(address) ?? []
  if (bucket !== '') return { bucket, prefix: prefix.replace(/^\/+|\/+$/g, '') }
  throw new AssayError('usage', `--artifacts: expected s3://bucket or s3://bucket/folder, got ${address}`, {
    hint: 'For a server other than AWS, set AWS_ENDPOINT_URL_S3 on the machines of the workers.',
  })
}

type Environment = Readonly<Record<string, string | undefined>>

/** The most that S3 accepts in one request. */
const mostBytes = 5 * 2 ** 30
const tries = 4
const silentMs = 60_000

/** Stores a file under a key, with the keys from the environment. Errors name what is missing or quote the store. */
export async function storeFile(file: string, bucket: string, key: string, env: Environment): Promise<void> {
  const keys = keysIn(env)
  const { size } = statSync(file)
  if (size > mostBytes)
    throw new AssayError('cannot_write', `${file} is larger than the 5 GB that a store takes at once`)
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const sha256 = hash.digest('hex')
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1'
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL ?? `https://s3.${region}.amazonaws.com`
  const url = new URL(`${endpoint.replace(/\/$/, '')}/${[bucket, ...key.split('/')].map(encoded).join('/')}`)
  const asked = { method: 'PUT', url, headers: { 'content-length': String(size) }, sha256 }
  for (let nth = 1; ; nth++) {
    const answer = await put(url, signRequest(asked, keys, region, new Date()), file).catch((error: unknown) => ({
      status: 0,
      text: messageOf(error),
    }))
    if (answer.status >= 200 && answer.status < 300) return
    const mayPass = answer.status === 0 || answer.status === 429 || answer.status >= 500
    if (!mayPass || nth === tries) throw new AssayError('cannot_write', refusalOf(answer))
    await new Promise(done => setTimeout(done, 100 * 3 ** nth))
  }
}

function keysIn(env: Environment): StoreKeys {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, sessionToken: env.AWS_SESSION_TOKEN }
  throw new AssayError('cannot_write', 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set there')
}

/** As signatures require: all but letters, digits and `-._~`. */
const encoded = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

interface Answer {
  readonly status: number
  readonly text: string
}

async function put(url: URL, headers: Readonly<Record<string, string>>, file: string): Promise<Answer> {
  const send = url.protocol === 'http:' ? httpRequest : httpsRequest
  const request = send(url, { method: 'PUT', headers, timeout: silentMs })
  request.on('timeout', () => request.destroy(new Error('the store did not answer')))
  const answered = new Promise<Answer>((resolve, reject) => {
    request.on('error', reject)
    request.on('response', response => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < 10_000) text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      response.on('error', reject)
    })
  })
  // A store that refuses replies before it has read everything: its reply is more useful than the broken pipe.
  pipeline(createReadStream(file), request).catch(() => undefined)
  return answered
}

/** `<Code>` and `<Message>` of S3's XML reply. */
function refusalOf({ status, text }: Answer): string {
  if (status === 0) return text
  const details = ['Code', 'Message'].flatMap(tag => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? [])
  return `the store answers ${status}${details.length === 0 ? '' : ` (${details.join(': ')})`}`
}
