import { spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Backend, hostRoot, type Root, type Sandbox } from '../../../src/process/sandbox/box.ts'
import { chooseSandbox } from '../../../src/process/sandbox/sandbox.ts'
import { messageOf } from '../../../src/util/errors.ts'
import { attacks } from './attacks/checks.ts'
import { contract } from './contract/checks.ts'
import { importImage } from './import-image.ts'
import { type Check, keep } from './world.ts'

/** The sandbox, or why it is not here. */
const find = (backend: Backend): Promise<Sandbox | string> => chooseSandbox(backend, process.env).catch(messageOf)

const [bubblewrap, podman, processes] = await Promise.all([find('bubblewrap'), find('podman'), find('process')])
const nobody = 65_534
const isRoot = process.getuid?.() === 0

function kept(sandbox: Sandbox | string, checks: readonly Check[], root: () => Root): void {
  if (typeof sandbox === 'string') return
  const possible = checks.filter(({ needs }) => needs?.(sandbox.can) !== false)
  it.each(possible)('$name', async check => {
    await expect(keep(check, sandbox, root())).resolves.toBeUndefined()
  })
}

describe.skipIf(typeof bubblewrap === 'string')(`bubblewrap${reason(bubblewrap)}`, () => {
  kept(bubblewrap, [...contract, ...attacks], () => hostRoot)
})

describe('process', () => {
  kept(processes, contract, () => hostRoot)
})

const image = typeof podman === 'string' ? podman : await importImage(podman)

describe.skipIf(typeof image === 'string')(`podman${reason(image)}`, () => {
  kept(
    podman,
    contract.filter(({ name }) => isRoot || !name.includes('port')),
    () => (typeof image === 'string' ? hostRoot : image.root),
  )
  afterAll(() => (typeof image === 'string' ? undefined : image.remove()))
})

// Root can check an unprivileged user's view only in a process of that user.
const whyNotUser =
  typeof bubblewrap === 'string' ? bubblewrap : isRoot ? unreadable() : 'these tests run as a user already'

describe.skipIf(whyNotUser !== null)(`bubblewrap as a user${reason(whyNotUser ?? '')}`, () => {
  const results = new Map<string, string | null>()
  let complaint = ''
  beforeAll(async () => {
    // Files shared by boxes are in the home; without a home they would stay in /tmp.
    const home = mkdtempSync('/tmp/assay-home-')
    chownSync(home, nobody, nobody)
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../fixtures/sandbox/as-user.ts')], {
      uid: nobody,
      gid: nobody,
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: '/tmp' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stderr.on('data', chunk => {
      complaint += chunk
    })
    for await (const line of createInterface(child.stdout)) {
      const { name, problem } = JSON.parse(line)
      results.set(name, problem)
    }
    rmSync(home, { recursive: true, force: true })
  }, 900_000)
  it.each([...contract, ...attacks])('$name', ({ name }) => {
    expect(results.has(name) ? results.get(name) : `did not run: ${complaint}`).toBeNull()
  })
})

/** A clone in root's own home can't be read by others. */
function unreadable(): string | null {
  for (let folder = import.meta.dirname; folder !== '/'; folder = dirname(folder))
    if ((statSync(folder).mode & 0o005) !== 0o005) return `${folder} may not be read by others`
  return null
}

function reason(why: unknown): string {
  return typeof why === 'string' && why !== '' ? ` (skipped: ${why})` : ''
}
