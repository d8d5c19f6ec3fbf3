import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs missing packages (`name@version`) into their own folder; they take hundreds of megabytes. */
export function install(folder, packages) {
  const missing = packages.filter(spec => !isThere(folder, spec))
  if (missing.length === 0) return
  console.log(`installing ${missing.join(' and ')} into ${folder} …`)
  mkdirSync(folder, { recursive: true })
  const argv = ['install', '--prefix', folder, '--no-audit', '--no-fund', ...packages]
  const { status } = spawnSync('npm', argv, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`npm install ended with ${status}`)
}

function isThere(folder, spec) {
  const at = spec.lastIndexOf('@')
  const file = join(folder, 'node_modules', spec.slice(0, at), 'package.json')
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === spec.slice(at + 1)
}
