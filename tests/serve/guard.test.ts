import { once } from 'node:events'
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { assay, folderWith } from '../support/assay.ts'
import { serveRoot } from '../support/dashboard.ts'

const files = {
  'work.mjs': 'export default ({ x }) => ({ score: x })\n',
  'e.yaml': 'name: e\ntarget: { kind: function, module: work.mjs }\nfactors: { x: [1, 2] }\nseeds: 1..2\n',
}

async function folder() {
  const cwd = folderWith(files)
  await assay(['run', 'e.yaml', '-q'], { cwd })
  return cwd
}

/** With any header, also those that a browser would not let a page set. */
async function asked(
  address: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<{ status: number; text: string; headers: Readonly<Record<string, unknown>> }> {
  const { hostname, port } = new URL(address)
  const sent = request({ hostname, port, path, method, headers })
  sent.end(method === 'POST' ? '{"dir":"e","control":"pause"}' : undefined)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, text, headers: response.headers }
}

describe('on this machine only', () => {
  it('needs no token, and answers only to names of this machine', async () => {
    const { address, token, url } = await serveRoot(await folder())
    expect(token).toBeNull()
    expect(url).toBe(address)
    expect(new URL(address).hostname).toBe('127.0.0.1')
    for (const host of ['localhost:9999', '127.0.0.1', '[::1]:4020'])
      expect((await asked(address, '/api/experiments', { host })).status).toBe(200)
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '10.0.0.1'])
      expect({ host, status: (await asked(address, '/api/experiments', { host })).status }).toEqual({
        host,
        status: 403,
      })
  })

  it('accepts changes from its own page only', async () => {
    const { address } = await serveRoot(await folder())
    const { host } = new URL(address)
    const own = { 'content-type': 'application/json', 'x-assay': '1', host }
    const post = async (headers: Readonly<Record<string, string>>) =>
      (await asked(address, '/api/control', headers, 'POST')).status
    expect(await post({ ...own, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await post(own)).toBe(200)
    expect(await post({ host, 'content-type': 'text/plain' })).toBe(403)
    expect(await post({ ...own, origin: 'http://evil.example' })).toBe(403)
    expect(await post({ ...own, origin: 'null' })).toBe(403)
    expect(await post({ ...own, 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect((await asked(address, '/api/control', { ...own, origin: 'http://evil.example' }, 'OPTIONS')).status).toBe(
      403,
    )
    expect((await asked(address, '/api/control', { host })).status).toBe(404)
  })

  it('forbids foreign scripts, requests to other hosts, and framing', async () => {
    const { address } = await serveRoot(await folder())
    const { headers, text } = await asked(address, '/', { host: '127.0.0.1' })
    const policy = String(headers['content-security-policy'])
    for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(part)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(text).not.toMatch(/<script>|<style|style=|\son\w+=/)
  })
})

describe('on other addresses', () => {
  it('needs the printed token: once in the address, then in a cookie or a header', async () => {
    const { address, token, url } = await serveRoot(await folder(), ['results', '--host', '0.0.0.0'])
    expect(token).toMatch(/^[\w-]{32}$/)
    expect(url).toBe(`${address}?token=${token}`)
    const { host } = new URL(address)
    for (const path of ['/', '/api/experiments', '/live.js', '/api/events?dir=e', '/?token=wrong', `/?token=${token}x`])
      expect({ path, status: (await asked(address, path, { host })).status }).toEqual({ path, status: 401 })
    const welcome = await asked(address, `/experiment?dir=e&token=${token}`, { host })
    expect(welcome.status).toBe(303)
    expect(welcome.headers.location).toBe('/experiment?dir=e')
    for (const path of ['//evil.example/', '///evil.example'])
      expect(await asked(address, `${path}?token=${token}`, { host })).toMatchObject({
        status: 303,
        headers: { location: expect.stringMatching(/^\/[^/\\]/) },
      })
    const [cookie = ''] = welcome.headers['set-cookie'] as string[]
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/)
    const kept = { host, cookie: cookie.split(';')[0] ?? '' }
    expect((await asked(address, '/api/experiments', kept)).status).toBe(200)
    expect((await asked(address, '/api/experiments', { host, authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await asked(address, '/api/control', { ...kept, 'x-assay': '1' }, 'POST')).status).toBe(200)
    expect((await asked(address, '/api/control', { host, 'x-assay': '1' }, 'POST')).status).toBe(401)
    expect((await asked(address, '/', { ...kept, host: 'evil.example' })).status).toBe(403)
  })

  it('creates a new token each time', async () => {
    const cwd = await folder()
    const tokens = [await serveRoot(cwd, ['--host', '0.0.0.0']), await serveRoot(cwd, ['--host', '0.0.0.0'])]
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(2)
  })
})
