import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tokenVariable } from '../../../src/process/processes.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { journalRows } from '../../support/journal.ts'

/** Whatever is left of boxes of an experiment: processes, control groups, sockets, mounts that this process sees. */
export function leftoversOf(cwd: string): readonly string[] {
  const tokens = journalRows<{ token: string }>(join(cwd, 'results', 'bench'), 'SELECT token FROM attempts').map(
    ({ token }) => token,
  )
  const groups = tokens.map(token => `assay-${sha256(token).slice(0, 16)}-`)
  return [
    ...processesWith(tokens.map(token => `${tokenVariable}=${token}`)),
    ...foldersBelow('/sys/fs/cgroup', 5).filter(name => groups.some(group => name.startsWith(group))),
    ...readdirSync(tmpdir()).filter(name => tokens.some(token => name.startsWith(`assay-${token.slice(0, 16)}`))),
    ...read('/proc/self/mountinfo')
      .split('\n')
      .filter(line => line.includes(cwd)),
  ]
}

const processesWith = (words: readonly string[]): readonly string[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      const environment = read(`/proc/${pid}/environ`)
      return words.some(word => environment.includes(word))
    })
    .map(pid => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`)

function foldersBelow(folder: string, depth: number): readonly string[] {
  if (depth === 0) return []
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .flatMap(({ name }) => [name, ...foldersBelow(join(folder, name), depth - 1)])
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
