import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** A checkout whose npm only writes down that it was called, or fails. */
function checkout(npm: string) {
  const root = mkdtempSync(join(tmpdir(), 'assay-setup-'))
  mkdirSync(join(root, 'scripts'))
  mkdirSync(join(root, 'node_modules'))
  cpSync(fileURLToPath(new URL('../../scripts/setup.mjs', import.meta.url)), join(root, 'scripts', 'setup.mjs'))
  writeFileSync(join(root, 'package-lock.json'), '{}')
  writeFileSync(join(root, 'npm.cjs'), npm)
  const write = (manifest: object) => writeFileSync(join(root, 'package.json'), JSON.stringify(manifest))
  const setUp = (env: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['scripts/setup.mjs'], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, SETUP_NODE: '', ...env, npm_execpath: join(root, 'npm.cjs') },
    })
  return { root, write, setUp }
}

it('installs once, and again only when a dependency changed', () => {
  const { root, write, setUp } = checkout(`require('fs').appendFileSync('calls.txt', process.argv[2] + '\\n')`)
  const calls = () => readFileSync(join(root, 'calls.txt'), 'utf8')
  write({ dependencies: { a: '1.0.0' } })
  expect(setUp().stderr).toMatch(/^assay: installing dependencies … done in \d+ s\n$/)
  expect(setUp()).toMatchObject({ status: 0, stdout: '', stderr: '' })
  write({ dependencies: { a: '1.0.0' }, scripts: { x: 'y' } })
  setUp()
  expect(calls()).toBe('install\n')
  write({ dependencies: { a: '2.0.0' } })
  setUp()
  expect(calls()).toBe('install\ninstall\n')
})

it('installs another Node on request, and the default one again without', () => {
  const { root, write, setUp } = checkout(
    `require('fs').appendFileSync('calls.txt', process.argv.slice(5).join(' ') + '\\n')`,
  )
  write({ devDependencies: { node: '24.0.0' } })
  for (const version of ['', '22.18.0', '22.18.0', '']) setUp({ SETUP_NODE: version })
  expect(readFileSync(join(root, 'calls.txt'), 'utf8').split('\n')).toEqual([
    '--loglevel=error',
    '--loglevel=error --no-save node@22.18.0',
    '--loglevel=error',
    '',
  ])
})

it('shows npm’s output when it fails, and retries next time', () => {
  const { write, setUp } = checkout(`console.error('no such package'); process.exit(1)`)
  write({ dependencies: {} })
  for (const result of [setUp(), setUp()]) {
    expect(result.status).toBe(1)
    expect(result.stderr).toContain('no such package')
  }
})

it('installs Debian packages of tests once', ({ skip }) => {
  const isDebian = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!isDebian) return skip('only root on Debian can install packages')
  const { root, write, setUp } = checkout('')
  write({})
  // Stands in for apt-get, and is the only program.
  const bin = join(root, 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'apt-get'), `#!/bin/sh\necho "$@" >> ${root}/apt.txt\n`, { mode: 0o755 })
  expect(setUp({ PATH: bin }).stderr).toMatch(
    /assay: bubblewrap and redis-server and openssh-server and openssh-client and iproute2( and libfaketime)? installed/,
  )
  expect(setUp({ PATH: bin })).toMatchObject({ status: 0, stderr: '' })
  const calls = readFileSync(join(root, 'apt.txt'), 'utf8')
  // A library is found in its folder, which is the machine's own.
  const line =
    /^-qq -o DPkg::Lock::Timeout=60 install -y --no-install-recommends bubblewrap redis-server openssh-server openssh-client iproute2( libfaketime)?\n$/
  expect(calls).toMatch(line)
})
