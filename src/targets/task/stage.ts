import { execFile } from 'node:child_process'
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { promisify } from 'node:util'
import type { Placed } from '../../process/sandbox/box.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { removedPaths } from './formats/oneshot/removed-paths.ts'
import type { Content, PlacedFile, RepoSource, TaskEnvironment } from './task.ts'

const run = promisify(execFile)

/** The initial files of a box, laid out in a folder of the host. */
export interface Staged {
  readonly initial: readonly Placed[]
  readonly repo: RepoFacts | null
}

export interface RepoFacts {
  readonly remote_urls: readonly string[]
  readonly branch: string | null
  readonly start_commit: string | null
}

/** The repository with its overlays and without removed files, committed as the baseline; and the other overlays. */
export async function stageEnvironment(
  { repo, overlays, remove }: TaskEnvironment,
  workdir: string,
  stage: string,
  signal: AbortSignal,
): Promise<Staged> {
  mkdirSync(stage, { recursive: true })
  if (repo === null) return { initial: placedFiles(overlays, stage), repo: null }
  const folder = join(stage, 'repo')
  const facts = await copyRepository(repo, folder, signal)
  const isInRepo = ({ to }: PlacedFile) => `${to}/`.startsWith(`${workdir}/`)
  for (const { from, to } of overlays.filter(isInRepo)) writeContent(from, join(folder, posix.relative(workdir, to)))
  for (const path of removedPaths(folder, remove)) rmSync(join(folder, path), { recursive: true, force: true })
  await commitBaseline(folder, signal)
  return {
    initial: [
      { source: folder, target: workdir },
      ...placedFiles(
        overlays.filter(one => !isInRepo(one)),
        stage,
      ),
    ],
    repo: facts,
  }
}

/** Each under its own name in the stage; files and folders that exist on the host are left where they are. */
export function placedFiles(files: readonly PlacedFile[], stage: string): readonly Placed[] {
  return files.map(({ from, to }, at) => {
    if ('file' in from) return { source: from.file, target: to }
    if ('folder' in from) return { source: from.folder, target: to }
    const source = join(stage, `text-${at}`, basename(to))
    writeContent(from, source)
    return { source, target: to }
  })
}

/**
 * Lays files over one another in a folder that represents `base` in the box, and makes the script among them
 * executable.
 */
export function layOut(
  files: readonly PlacedFile[],
  base: string,
  folder: string,
  [script = '']: readonly string[],
): void {
  mkdirSync(folder, { recursive: true })
  for (const { from, to } of files) writeContent(from, join(folder, posix.relative(base, to)))
  // Folders that went through an archive or a checkout on Windows have lost the mark, and Harbor sets it too.
  const file = script.startsWith(`${base}/`) ? join(folder, posix.relative(base, script)) : null
  const found = file === null ? undefined : lstatSync(file, { throwIfNoEntry: false })
  if (file !== null && found?.isFile()) chmodSync(file, found.mode | 0o555)
}

/** Links are kept as links: their target in the box is left to the box. */
function writeContent(from: Content, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  if ('text' in from) writeFileSync(to, from.text)
  else if ('file' in from) cpSync(from.file, to, { verbatimSymlinks: true })
  else cpSync(from.folder, to, { recursive: true, verbatimSymlinks: true })
}

async function copyRepository(repo: RepoSource, folder: string, signal: AbortSignal): Promise<RepoFacts> {
  if (repo.kind === 'folder' && !repo.isRepository) {
    cpSync(repo.path, folder, { recursive: true, verbatimSymlinks: true })
    return { remote_urls: [], branch: null, start_commit: null }
  }
  const from = repo.kind === 'folder' ? repo.path : repo.url
  const branch = repo.kind === 'git' ? repo.branch : null
  try {
    await git(
      dirname(folder),
      signal,
      'clone',
      '--quiet',
      '--no-hardlinks',
      ...(branch === null ? [] : ['--branch', branch]),
      '--',
      from,
      folder,
    )
    if (repo.commit !== null) await git(folder, signal, 'checkout', '--quiet', '--detach', repo.commit)
    const start_commit = (await git(folder, signal, 'rev-parse', 'HEAD')).trim()
    return { remote_urls: [from], branch, start_commit }
  } catch (error) {
    if (signal.aborted) throw error
    throw new AssayError('unsupported_environment', `the repository ${from} can't be had: ${lastLineOf(error)}`, {
      cause: error,
    })
  }
}

/** Everything in one commit, whose parents the agent can't see: a later commit may contain the solution. */
async function commitBaseline(folder: string, signal: AbortSignal): Promise<void> {
  rmSync(join(folder, '.git'), { recursive: true, force: true })
  await git(folder, signal, 'init', '--quiet', '--initial-branch=main')
  await git(folder, signal, 'add', '--all', '--force')
  const isEmpty = readdirSync(folder).length === 1
  await git(
    folder,
    signal,
    'commit',
    '--quiet',
    '--no-verify',
    ...(isEmpty ? ['--allow-empty'] : []),
    '--message=baseline',
  )
}

/** Without anyone's settings, hooks or signatures, and without questions on the terminal. */
async function git(cwd: string, signal: AbortSignal, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', args, {
    cwd,
    signal,
    maxBuffer: 64 * 1024 * 1024,
    env: {
      PATH: process.env.PATH,
      HOME: cwd,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_AUTHOR_NAME: 'assay',
      GIT_AUTHOR_EMAIL: 'assay@localhost',
      GIT_COMMITTER_NAME: 'assay',
      GIT_COMMITTER_EMAIL: 'assay@localhost',
      GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
      GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
    },
  })
  return stdout
}

const lastLineOf = (error: unknown): string => messageOf(error).trim().split('\n').at(-1) ?? ''
