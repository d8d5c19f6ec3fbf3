import { closeSync, readFileSync } from 'node:fs'
import { AssayError } from '../../../util/errors.ts'
import type { SafeFolder } from '../transfer/safe-folder.ts'
import type { Account } from './enter.ts'

/** `root`, `node`, `1000` or `1000:1000`, as a Dockerfile has it, with the numbers of the box's own list of users. */
export function accountOf(root: SafeFolder, user: string): Account {
  if (user === 'root' || user === '0') return { uid: 0, gid: 0 }
  const [name = '', group] = user.split(':')
  const entry = linesOf(root, 'passwd').find(([known, , uid]) => known === name || uid === name)
  const uid = /^\d+$/.test(name) ? Number(name) : entry === undefined ? null : Number(entry[2])
  const gid = group === undefined ? Number(entry?.[3] ?? uid) : groupOf(root, group)
  if (uid === null || gid === null)
    throw new AssayError('unsupported_environment', `there is no user ${user} in the box`, {
      hint: 'A RUN step of the Dockerfile has to create it.',
    })
  return { uid, gid }
}

function groupOf(root: SafeFolder, group: string): number | null {
  if (/^\d+$/.test(group)) return Number(group)
  const entry = linesOf(root, 'group').find(([name]) => name === group)
  return entry === undefined ? null : Number(entry[2])
}

function linesOf(root: SafeFolder, name: string): readonly (readonly string[])[] {
  const folder = root.find('/etc')
  try {
    const file = folder?.openFile(name) ?? null
    if (file === null || file.size > mostBytes) return []
    try {
      return readFileSync(file.descriptor, 'utf8')
        .split('\n')
        .map(line => line.split(':'))
    } finally {
      closeSync(file.descriptor)
    }
  } finally {
    folder?.close()
  }
}

const mostBytes = 1 << 20
