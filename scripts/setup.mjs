// Installs the dependencies if they are missing or changed; otherwise does nothing.
// Runs on the machine's own Node (20 is enough) and without dependencies, because it installs the right Node.
//   SETUP_NODE=22.23.3   brings that Node instead of the one in package.json: all npm scripts then run on it
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}/node_modules/.assay-setup`
const otherNode = process.env.SETUP_NODE ?? ''

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== fingerprint()) {
  const started = Date.now()
  process.stderr.write('assay: installing dependencies … ')
  const { status, output } = install()
  if (status !== 0) {
    process.stderr.write(`failed\n${output}\nassay: npm install failed; the lines above say why.\n`)
    process.exit(1)
  }
  // Only now, because npm adds binaries of other platforms to the lockfile if the registry has more of them.
  writeFileSync(stamp, fingerprint())
  process.stderr.write(`done in ${Math.round((Date.now() - started) / 1000)} s\n`)
}

installDebianPackages([
  // Tasks run in its boxes without a container engine.
  { name: 'bubblewrap', program: 'bwrap' },
  // One of the servers for a queue.
  { name: 'redis-server', program: 'redis-server' },
  // Workers over ssh, on machines with networks of their own.
  { name: 'openssh-server', program: 'sshd' },
  { name: 'openssh-client', program: 'ssh' },
  { name: 'iproute2', program: 'ip' },
  // Sets the clock of a process, for tests of clock steps.
  { name: 'libfaketime', library: 'faketime/libfaketimeMT.so.1' },
])

/**
 * Programs used by tests. Root on Debian or Ubuntu can install them; elsewhere, or if that fails, those tests report that
 * they were skipped.
 */
function installDebianPackages(packages) {
  const folders = (process.env.PATH ?? '').split(':')
  const machines = ['x86_64', 'aarch64'].map(machine => `/usr/lib/${machine}-linux-gnu`)
  const isThere = ({ program, library }) =>
    program === undefined
      ? machines.some(folder => existsSync(`${folder}/${library}`))
      : folders.some(folder => existsSync(`${folder}/${program}`))
  // Tried once: without a network, every `npm test` would wait for it.
  const tried = ({ name }) => `${stamp}-${name}`
  const missing = packages.filter(one => !isThere(one) && !existsSync(tried(one)))
  if (missing.length === 0 || process.platform !== 'linux' || process.getuid?.() !== 0) return
  if (!existsSync('/usr/bin/apt-get')) return
  for (const one of missing) writeFileSync(tried(one), '')
  const run = (...args) =>
    spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=60', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 120_000,
    }).status === 0
  const install = () => run('install', '-y', '--no-install-recommends', ...missing.map(({ name }) => name))
  // A fresh image has no lists of packages yet.
  const isInstalled = withoutServices(() => install() || (run('update') && install()))
  const names = missing.map(({ name }) => name).join(' and ')
  process.stderr.write(`assay: ${names} ${isInstalled ? 'installed' : 'could not be installed'}\n`)
}

/** Debian starts a package's service unless this file forbids it. */
function withoutServices(install) {
  const policy = '/usr/sbin/policy-rc.d'
  const isOurs = !existsSync(policy)
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    return install()
  } finally {
    if (isOurs) rmSync(policy, { force: true })
  }
}

/** Only the parts that affect installation: editing a script in package.json installs nothing. */
function fingerprint() {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(`${root}/package.json`, 'utf8'),
  )
  const lock = readFileSync(`${root}/package-lock.json`)
  const named = JSON.stringify({ dependencies, optionalDependencies, devDependencies })
  return createHash('sha256').update(named).update(lock).update(otherNode).digest('hex')
}

// Not `npm ci`: it calls a lockfile out of sync when a registry lacks the optional binaries of other platforms.
// `npm install` with exact versions follows the lockfile, and adds at most such binaries to it.
function install() {
  const npm = process.env.npm_execpath
  const [program, ...args] = npm === undefined ? ['npm'] : [process.execPath, npm]
  const instead = otherNode === '' ? [] : ['--no-save', `node@${otherNode}`]
  const result = spawnSync(program, [...args, 'install', '--no-audit', '--no-fund', '--loglevel=error', ...instead], {
    cwd: root,
    encoding: 'utf8',
    shell: npm === undefined && process.platform === 'win32',
  })
  return { status: result.status, output: `${result.error ?? ''}${result.stdout ?? ''}${result.stderr ?? ''}`.trim() }
}
