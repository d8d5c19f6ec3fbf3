// Installs the dependencies if they are missing or were changed since the last time; otherwise does nothing.
// Runs on the machine's own Node (20 is enough) and without any dependency: it is what brings the right Node.
//   SETUP_NODE=22.23.3   brings that Node instead of the one in package.json: all npm scripts then run on it
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stamp = `${root}/node_modules/.assay-setup`
const otherNode = process.env.SETUP_NODE ?? ''
const wanted = fingerprint()

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  const started = Date.now()
  process.stderr.write('assay: installing dependencies … ')
  const { status, output } = install()
  if (status !== 0) {
    process.stderr.write(`failed\n${output}\nassay: npm install failed; the lines above say why.\n`)
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
  process.stderr.write(`done in ${Math.round((Date.now() - started) / 1000)} s\n`)
}

installBubblewrap()

/**
 * Tasks run in boxes of bubblewrap where there is no container engine, and their tests want it. Root on Debian or Ubuntu
 * can install it; elsewhere, and where it fails, those tests say that they were skipped.
 */
function installBubblewrap() {
  const isThere = (process.env.PATH ?? '').split(':').some(folder => existsSync(`${folder}/bwrap`))
  if (isThere || process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  // Tried once: where there is no network, every `npm test` would wait for it.
  const tried = `${stamp}-bubblewrap`
  if (existsSync(tried)) return
  writeFileSync(tried, '')
  const run = (...args) =>
    spawnSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=60', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: 120_000,
    }).status === 0
  const install = () => run('install', '-y', '--no-install-recommends', 'bubblewrap')
  // A fresh image has no lists of packages yet.
  const isInstalled = install() || (run('update') && install())
  process.stderr.write(`assay: bubblewrap ${isInstalled ? 'was installed' : 'could not be installed'}\n`)
}

/** Only what decides what is installed: editing a script in package.json installs nothing. */
function fingerprint() {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    readFileSync(`${root}/package.json`, 'utf8'),
  )
  const lock = readFileSync(`${root}/package-lock.json`)
  const named = JSON.stringify({ dependencies, optionalDependencies, devDependencies })
  return createHash('sha256').update(named).update(lock).update(otherNode).digest('hex')
}

// Not `npm ci`: it calls a lockfile out of sync when a registry lacks the optional binaries of other platforms.
// `npm install` with exact versions follows the lockfile and leaves it as it is.
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
