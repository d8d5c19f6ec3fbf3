import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { leftBehind, survivorText } from '../../process/end.ts'
import { chooseSandbox } from '../../process/sandbox/sandbox.ts'
import { usesPosixSpawn } from '../../process/spawn/spawn-group.ts'
import { AssayError } from '../../util/errors.ts'
import { type Finding, ok, warning } from './finding.ts'

/** What the machine offers besides Node. */
export function checkSystem(): Promise<readonly Finding[]> {
  return Promise.all([
    processTable(),
    programs(),
    openFiles(),
    leftProcesses(),
    tool('git', 'Without git a run does not record which commit it was made from.'),
    tool('python3', 'Only experiments that run Python programs need it.'),
    sandbox(),
  ])
}

async function processTable(): Promise<Finding> {
  try {
    await readFile('/proc/self/stat')
    return ok('/proc', 'processes of a crashed assay are recognised and ended')
  } catch {
    return warning(
      '/proc',
      'not available',
      'CPU time of runs is not measured, and processes left by a crash must be ended by hand.',
    )
  }
}

async function programs(): Promise<Finding> {
  if (usesPosixSpawn()) return ok('programs', 'started by posix_spawn')
  const detail = 'started by Node, which takes a millisecond or two each'
  // Other systems have nothing faster.
  if (process.platform !== 'linux') return ok('programs', detail)
  return warning(
    'programs',
    detail,
    'This only matters for thousands of very short runs; the package koffi makes it faster.',
  )
}

/**
 * Processes that could not be ended, or whose assay was killed: the next `assay run` of their experiment ends those it
 * can.
 */
async function leftProcesses(): Promise<Finding> {
  const left = leftBehind()
  if (left.length === 0) return ok('processes', 'no leftover processes of runs')
  return warning(
    'processes',
    `left behind by runs: ${survivorText(left)}`,
    'The next `assay run` of their experiment ends orphans. A process that survives SIGKILL is waiting for a device or a file system; it ends when that answers, or with a restart.',
  )
}

const comfortableLimit = 1024

async function openFiles(): Promise<Finding> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const [, soft] = /^Max open files\s+(\S+)/m.exec(limits) ?? []
  if (soft === undefined) return ok('open files', 'limit unknown')
  if (soft === 'unlimited' || Number(soft) >= comfortableLimit) return ok('open files', `${soft} at a time`)
  return warning('open files', `${soft} at a time`, `Many jobs at once need more: ulimit -n ${comfortableLimit}`)
}

/** Which one `auto` takes, tried as a task would. */
async function sandbox(): Promise<Finding> {
  try {
    const { backend, version, can } = await chooseSandbox('auto', process.env)
    const notes = can.notes.length === 0 ? '' : ` (${can.notes.join('; ')})`
    return ok('sandbox', `${backend} ${version}${notes}`)
  } catch (error) {
    const reasons = error instanceof AssayError && Array.isArray(error.facts.reasons) ? error.facts.reasons : []
    return warning(
      'sandbox',
      ['none', ...reasons].join('; '),
      'Only tasks need one. The simplest is bubblewrap: apt-get install bubblewrap.',
    )
  }
}

async function tool(name: string, without: string): Promise<Finding> {
  try {
    const { stdout, stderr } = await promisify(execFile)(name, ['--version'], { timeout: 5000 })
    return ok(name, (stdout || stderr).trim().split('\n')[0] ?? '')
  } catch {
    return warning(name, 'not found', without)
  }
}
