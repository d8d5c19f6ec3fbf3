import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { systemCode } from '../../../util/errors.ts'
import { Refused } from '../../sim/server/refusal.ts'

/** Larger than any context: a million tokens are about 4 MB, pictures come on top. */
const mostBytes = 64 * 1024 * 1024

/** The text of a request; rejects with a Refused. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= mostBytes) chunks.push(chunk)
  }
  if (bytes > mostBytes) throw tooLarge()
  const encoding = request.headers['content-encoding'] ?? 'identity'
  const body = Buffer.concat(chunks)
  if (encoding === 'identity') return body.toString('utf8')
  const unpack = unpackers[encoding]
  if (unpack === undefined)
    throw new Refused({ status: 415, message: `the model proxy does not read content-encoding "${encoding}"` })
  try {
    return (await unpack(body)).toString('utf8')
  } catch (error) {
    if (systemCode(error) === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new Refused({ status: 400, message: `the request is not ${encoding}, as it says` })
  }
}

const limit = { maxOutputLength: mostBytes }

const unpackers: { readonly [encoding: string]: (body: Buffer) => Promise<Buffer> } = {
  gzip: body => promisify(gunzip)(body, limit),
  deflate: body => promisify(inflate)(body, limit),
  br: body => promisify(brotliDecompress)(body, limit),
  zstd: body => promisify(zstdDecompress)(body, limit),
}

const tooLarge = (): Refused =>
  new Refused({
    status: 413,
    message: `a request to the model proxy has at most ${mostBytes / 1024 / 1024} MiB`,
    code: 'request_too_large',
  })
