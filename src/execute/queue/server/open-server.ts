import { AssayError, messageOf, systemCode } from '../../../util/errors.ts'
import { parseDuration } from '../../../util/time.ts'
import { defaultGoneMs, type QueueServer } from './server.ts'

/** Connects, or explains why it can't. */
export async function openQueueServer(address: string): Promise<QueueServer> {
  const url = parsed(address)
  const where = withoutPassword(url)
  const goneMs = takeGoneAfterOption(url)
  try {
    if (url.protocol === 'redis:' || url.protocol === 'rediss:')
      return { ...(await (await import('./redis.ts')).openRedis(url.href, where)), goneMs }
    return { ...(await (await import('./postgres.ts')).openPostgres(url.href, where)), goneMs }
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

/** `?gone_after=1m` is assay's own option: the server's client must not see it. */
function takeGoneAfterOption(url: URL): number {
  const given = url.searchParams.get('gone_after')
  url.searchParams.delete('gone_after')
  if (given === null) return defaultGoneMs
  const ms = parseDuration(given)
  if (ms !== null && ms >= 1_000 && ms <= 86_400_000) return ms
  throw new AssayError('usage', `gone_after in the address of the queue is ${given}, not a time from 1s to 24h`, {
    hint: 'It is how long to wait for a silent worker: ?gone_after=1m',
  })
}

function withoutPassword(url: URL): string {
  const shown = new URL(url)
  shown.password = ''
  shown.search = ''
  return shown.href
}

function cannotConnect(where: string, error: unknown): AssayError {
  const code = isWithoutPassword(error) ? 'NOAUTH' : systemCode(error)
  const [message, hint] = reasons[code ?? ''] ?? [messageOf(error) || (code ?? 'no reason given'), undefined]
  const more = { cause: error, facts: { where, code } }
  return new AssayError('usage', `can't connect to ${where}: ${message}`, hint === undefined ? more : { ...more, hint })
}

/** The Postgres client has no code for it. */
const isWithoutPassword = (error: unknown): boolean => /client password must be a string/.test(messageOf(error))

/** By the code of a system call, of Postgres (SQLSTATE) or of Redis. */
const reasons: { readonly [code: string]: readonly [message: string, hint: string] } = {
  ECONNREFUSED: ['no server answers there', 'Start the server, or correct the host and port in the address.'],
  ENOTFOUND: ['there is no host of that name', 'Correct the host in the address.'],
  ETIMEDOUT: ['the host does not answer', 'Is a firewall between the two?'],
  '28P01': ['the password is wrong', 'ASSAY_QUEUE takes the whole address, with its password.'],
  '28000': ['the server refuses this user', 'Correct the user in the address.'],
  '3D000': ['there is no such database', 'Create it, or correct the path in the address.'],
  WRONGPASS: ['the password is wrong', 'ASSAY_QUEUE takes the whole address, with its password.'],
  NOAUTH: ['the server requires a password', 'ASSAY_QUEUE takes the whole address, with its password.'],
}
