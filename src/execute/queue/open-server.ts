import { AssayError, messageOf, systemCode } from '../../util/errors.ts'
import type { QueueServer } from './server.ts'

/** Connects, or says why not. */
export async function openQueueServer(address: string): Promise<QueueServer> {
  const url = parsed(address)
  const where = withoutPassword(url)
  try {
    if (url.protocol === 'redis:' || url.protocol === 'rediss:')
      return await (await import('./redis.ts')).openRedis(address, where)
    return await (await import('./postgres.ts')).openPostgres(address, where)
  } catch (error) {
    if (error instanceof AssayError) throw error
    throw cannotConnect(where, error)
  }
}

const protocols = ['postgres:', 'postgresql:', 'redis:', 'rediss:']

function parsed(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url !== null && protocols.includes(url.protocol)) return url
  throw new AssayError('usage', 'the address of the queue is neither postgres://… nor redis://…', {
    hint: 'For example: --queue postgres://user@host/database. Set ASSAY_QUEUE to keep a password out of the command line.',
  })
}

function withoutPassword(url: URL): string {
  const shown = new URL(url)
  shown.password = ''
  shown.search = ''
  return shown.href
}

function cannotConnect(where: string, error: unknown): AssayError {
  const code = systemCode(error)
  const [message, hint] = reasons[code ?? ''] ?? [messageOf(error) || (code ?? 'no reason given'), undefined]
  const more = { cause: error, facts: { where, code } }
  return new AssayError('usage', `can't connect to ${where}: ${message}`, hint === undefined ? more : { ...more, hint })
}

/** By the code of a system call, of Postgres (SQLSTATE) or of Redis. */
const reasons: { readonly [code: string]: readonly [message: string, hint: string] } = {
  ECONNREFUSED: ['no server answers there', 'Start the server, or correct the host and port in the address.'],
  ENOTFOUND: ['there is no host of that name', 'Correct the host in the address.'],
  ETIMEDOUT: ['the host does not answer', 'Is a firewall between the two?'],
  '28P01': ['the password is wrong', 'ASSAY_QUEUE takes the whole address, with its password.'],
  '28000': ['the server does not let this user in', 'Correct the user in the address.'],
  '3D000': ['there is no such database', 'Create it, or correct the path in the address.'],
  WRONGPASS: ['the password is wrong', 'ASSAY_QUEUE takes the whole address, with its password.'],
  NOAUTH: ['the server wants a password', 'ASSAY_QUEUE takes the whole address, with its password.'],
}
