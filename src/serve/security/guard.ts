import { timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'

export interface GuardOptions {
  /** The address that the server listens on. */
  readonly host: string
  /** null: every user of this machine may read. */
  readonly token: string | null
}

/**
 * Decides which requests are allowed: none from a browser that another page led here. The name in the address must be
 * one of this machine (a page elsewhere may point its own name at us), the token must be present if there is one, and
 * requests that change something must come from our own page.
 */
export function guard({ host, token }: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value)
    const name = hostNameOf(context.req.header('host') ?? '')
    if (!isOurName(name, host, token !== null))
      return context.text(`${name || 'no name'} is not a name of this machine; open the address that was printed`, 403)
    if (token !== null) {
      const given = context.req.query('token')
      if (given !== undefined && same(given, token) && context.req.method === 'GET') return welcome(context, token)
      if (!same(tokenOf(context), token))
        return context.text('a token is needed: open the address with ?token=… that `assay serve` printed', 401)
    }
    if (!isHarmless(context.req.method) && !comesFromOurPage(context))
      return context.text('changes are taken only from the dashboard itself (same origin, with x-assay: 1)', 403)
    await next()
  }
}

const headers: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    'img-src data: blob:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

const isHarmless = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Without the port: behind a tunnel it is another one. */
function hostNameOf(header: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:]+))(?::\d+)?$/.exec(header.trim()) ?? []
  return (bracketed ?? plain ?? '').toLowerCase()
}

const loopback = ['localhost', '127.0.0.1', '::1']

/** A numeric address can't be redirected; a name can. */
function isOurName(name: string, host: string, isOpen: boolean): boolean {
  if (loopback.includes(name)) return true
  if (!isOpen) return false
  const own = hostname().toLowerCase()
  return isIP(name) !== 0 || name === host.toLowerCase() || name.split('.')[0] === own.split('.')[0]
}

/** In a cookie from now on, so that it is in the address only once. */
function welcome(context: Context, token: string): Response {
  const url = new URL(context.req.url)
  url.searchParams.delete('token')
  setCookie(context, cookieName(context), token, { httpOnly: true, sameSite: 'Strict', path: '/' })
  // A path that begins with two slashes would be the address of another machine.
  return context.redirect(`/${url.pathname.replace(/^[/\\]+/, '')}${url.search}`, 303)
}

function tokenOf(context: Context): string {
  const bearer = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1]
  return bearer ?? getCookie(context, cookieName(context)) ?? ''
}

/** Cookies are shared by all ports of a host: two dashboards on one machine must not take each other's. */
const cookieName = (context: Context): string =>
  `assay-${/:(\d+)$/.exec(context.req.header('host') ?? '')?.[1] ?? '80'}`

function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A form can't send this header, and another page's script only with a permission that is never given here. */
function comesFromOurPage(context: Context): boolean {
  const origin = context.req.header('origin')
  const site = context.req.header('sec-fetch-site')
  return (
    context.req.header('x-assay') === '1' &&
    (origin === undefined || URL.parse(origin)?.host === context.req.header('host')) &&
    (site === undefined || site === 'same-origin')
  )
}
