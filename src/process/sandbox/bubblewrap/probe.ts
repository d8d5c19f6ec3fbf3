import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { AssayError, messageOf } from '../../../util/errors.ts'
import { findProgram } from '../../spawn/starter.ts'
import { findGroups, type Groups } from '../limits/cgroups.ts'
import { removeFolder } from '../transfer/remove-folder.ts'
import { makeUserNamespaces, type UserNamespaces } from './user-namespaces.ts'

/** What this machine supports for bubblewrap. */
export interface Host {
  readonly version: string
  readonly programs: Readonly<Record<(typeof needed)[number], string>>
  /** null: this process is not root, so each box makes its own, with one user in it. */
  readonly namespaces: UserNamespaces | null
  readonly overlay: boolean
  readonly groups: Groups
}

const needed = ['bwrap', 'unshare', 'nsenter', 'mount'] as const

let probed: Promise<Host> | undefined

/** Once per process. Rejects with what is missing. */
export function probeHost(): Promise<Host> {
  probed ??= probe().catch(error => {
    probed = undefined
    throw error
  })
  return probed
}

async function probe(): Promise<Host> {
  const programs = findPrograms()
  const { stdout } = await execute(programs.bwrap, ['--version'])
  const namespaces = process.getuid?.() === 0 ? await makeUserNamespaces(programs) : null
  return {
    version: stdout.trim().replace(/^\D+/, ''),
    programs,
    namespaces,
    overlay: await canOverlay(programs, namespaces === null),
    groups: findGroups(),
  }
}

const execute = promisify(execFile)

function findPrograms(): Host['programs'] {
  const find = (name: string): string => {
    const found = findProgram(name, '/', `${process.env.PATH ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`)
    if ('file' in found) return found.file
    throw new AssayError('unsupported_environment', `there is no program ${name} here`, {
      hint: name === 'bwrap' ? 'Install the package bubblewrap.' : 'Install the package util-linux.',
    })
  }
  return { bwrap: find('bwrap'), unshare: find('unshare'), nsenter: find('nsenter'), mount: find('mount') }
}

/** Actually tried: kernels, policies and file systems differ in what they allow. */
async function canOverlay({ unshare }: Host['programs'], asUser: boolean): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-overlay-'))
  try {
    for (const name of ['l', 'u', 'w', 'm']) mkdirSync(join(folder, name))
    const options = `lowerdir=l,upperdir=u,workdir=w,volatile${asUser ? ',userxattr' : ''}`
    const isolation = asUser ? ['--user', '--map-root-user', '--mount'] : ['--mount']
    await execute(unshare, [...isolation, 'mount', '-t', 'overlay', '-o', options, 'overlay', 'm'], { cwd: folder })
    return true
  } catch (error) {
    // Without namespaces there is no box at all; without overlays there is one with fewer features.
    if (/unshare failed|uid_map/.test(messageOf(error)))
      throw new AssayError('unsupported_environment', `namespaces are not allowed here: ${messageOf(error)}`)
    return false
  } finally {
    removeFolder(folder)
  }
}
