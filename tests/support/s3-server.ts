import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A bucket server on loopback that takes objects only with a valid Signature Version 4. */
export interface S3Server {
  readonly address: string
  /** A client's environment variables. */
  readonly env: Readonly<Record<string, string>>
  /** By `/bucket/key`, as it came over the wire. */
  readonly objects: ReadonlyMap<string, Buffer>
  /** Status of each answer, in order. */
  readonly answers: readonly number[]
}

const keys = { id: 'AKIDEXAMPLE', secret: 'a+secret/that-nobody-else-has' }

/** `troubles`: statuses for the first requests, whatever they are. */
export async function startS3(troubles: readonly number[] = []): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const answers: number[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const problem = troubles[answers.length] === undefined ? problemOf(request, body) : 'SlowDown'
    const status = troubles[answers.length] ?? (problem === null ? 200 : 403)
    answers.push(status)
    if (problem === null) objects.set(request.url ?? '', body)
    response
      .writeHead(status)
      .end(problem === null ? '' : `<Error><Code>${problem}</Code><Message>no</Message></Error>`)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = { AWS_ACCESS_KEY_ID: keys.id, AWS_SECRET_ACCESS_KEY: keys.secret, AWS_ENDPOINT_URL_S3: address }
  return { address, env, objects, answers }
}

/** The error of a request in S3's terms, or null. */
function problemOf(request: IncomingMessage, body: Buffer): string | null {
  const { headers, method = '', url = '' } = request
  const said =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/
  const [, id = '', day = '', region = '', names = '', signature] = said.exec(headers.authorization ?? '') ?? []
  if (id !== keys.id) return 'InvalidAccessKeyId'
  const time = String(headers['x-amz-date'])
  const [, year, month, date, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time) ?? []
  const sentAt = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  if (!(Math.abs(Date.now() - sentAt) < 15 * 60_000) || !time.startsWith(day)) return 'RequestTimeTooSkewed'
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every(name => names.split(';').includes(name)))
    return 'AccessDenied'
  const digest = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
  if (headers['x-amz-content-sha256'] !== digest(body)) return 'XAmzContentSHA256Mismatch'
  const [path = '', query = ''] = url.split('?')
  const lines = names.split(';').map(name => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = `${method}\n${path}\n${query}\n${lines.join('')}\n${names}\n${digest(body)}`
  const scope = `${day}/${region}/s3/aws4_request`
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = sign(sign(sign(sign(`AWS4${keys.secret}`, day), region), 's3'), 'aws4_request')
  const expected = sign(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${digest(canonical)}`).toString('hex')
  return signature === expected ? null : 'SignatureDoesNotMatch'
}
