import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { messageOf } from '../../../util/errors.ts'
import type { Diff, Left } from '../box.ts'
import { Collecting, type Versions } from './collect-changes.ts'

/** The changes, as a patch. Without `.git` folders: they contain the history, not the work. */
export async function changesOf(versions: Versions, mostBytes: number): Promise<Diff> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-diff-'))
  try {
    mkdirSync(join(folder, 'a'))
    mkdirSync(join(folder, 'b'))
    const collecting = new Collecting(join(folder, 'a'), join(folder, 'b'), mostBytes)
    collecting.collect(versions)
    return { patch: await gitDiff(folder), left: collecting.left }
  } catch (error) {
    const left: readonly Left[] = [{ path: '/', why: `git could not compare: ${messageOf(error)}` }]
    return { patch: '', left }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const execute = promisify(execFile)

/** No configuration, and no attribute of a file, may start another program. */
async function gitDiff(folder: string): Promise<string> {
  const options = [
    '--no-index',
    '--binary',
    '--no-prefix',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
  ]
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', LC_ALL: 'C' }
  const settings = ['-c', 'core.quotePath=true', '-c', 'core.attributesFile=/dev/null', '-c', 'core.fileMode=true']
  try {
    const { stdout } = await execute('git', [...settings, 'diff', ...options, 'a', 'b'], {
      cwd: folder,
      env,
      encoding: 'latin1',
      maxBuffer: 1 << 30,
    })
    return utf8(stdout)
  } catch (error) {
    // Exit code 1 means that there are differences.
    if (error instanceof Error && 'code' in error && error.code === 1 && 'stdout' in error)
      return utf8(String(error.stdout))
    throw error
  }
}

const utf8 = (bytes: string): string => withBothNames(Buffer.from(bytes, 'latin1').toString('utf8'))

/** Between two folders git names an added file `b/x b/x`, and a deleted one `a/x a/x`; in a repository both are `a/x b/x`. */
const withBothNames = (patch: string): string =>
  patch.replace(/^diff --git ("?)([ab])\/(.+)\1 \1\2\/\3\1$/gm, 'diff --git $1a/$3$1 $1b/$3$1')
