import { createHash, createHmac } from 'node:crypto'

export interface StoreKeys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
}

interface Request {
  readonly method: string
  readonly url: URL
  /** All but `host`, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The body's digest, in hex. */
  readonly sha256: string
}

/**
 * The headers of a signed request to S3: Signature Version 4, for a URL whose path is already encoded and that has no
 * query. https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signRequest(
  { method, url, headers, sha256 }: Request,
  { accessKeyId, secretAccessKey, sessionToken }: StoreKeys,
  region: string,
  now: Date,
): Readonly<Record<string, string>> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': sha256,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(all).sort()
  const signed = names.join(';')
  const canonical = [
    method,
    url.pathname,
    '',
    ...names.map(name => `${name}:${all[name]?.trim()}`),
    '',
    signed,
    sha256,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, text).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
  return { ...all, authorization }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
