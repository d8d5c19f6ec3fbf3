import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** The state of the working tree that the experiment was started from. */
export interface GitState {
  readonly commit: string
  readonly branch: string
  readonly dirty: boolean
  /** What differs from the commit, as a patch; new files are listed by name only. */
  readonly diff: string
}

/** Larger patches are not kept: they are generated files more often than code. */
const maxDiffBytes = 8 * 1024 * 1024

/** null where there is no git, or no commit yet. What assay itself writes into `results` is no change to the code. */
export async function gitState(folder: string, results: string): Promise<GitState | null> {
  if (!mayBeInRepository(folder)) return null
  const commit = await git(folder, 'rev-parse', 'HEAD')
  if (commit === null) return null
  const code = [':/', ...(await withoutOurs(folder, results))]
  const [branch, status, diff] = await Promise.all([
    git(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
    git(folder, 'status', '--porcelain', '--', ...code),
    git(folder, 'diff', 'HEAD', '--no-ext-diff', '--no-color', '--', ...code),
  ])
  return {
    commit: commit.trim(),
    branch: (branch ?? '').trim(),
    dirty: (status ?? '').trim() !== '',
    diff: `${untracked(status ?? '')}${diff ?? '# the patch was too large to keep, or git could not make it\n'}`,
  }
}

/** Starting git only to hear that there is nothing takes longer than many a run. */
function mayBeInRepository(folder: string): boolean {
  if (process.env.GIT_DIR !== undefined) return true
  if (!existsSync(folder)) return false
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return true
    if (dirname(at) === at) return false
  }
}

/** Git refuses to leave out what is not in the repository. */
async function withoutOurs(folder: string, results: string): Promise<readonly string[]> {
  const top = (await git(folder, 'rev-parse', '--show-toplevel'))?.trim()
  if (top === undefined || !existsSync(results)) return []
  const path = relative(top, realpathSync(results))
  return path === '' || path.startsWith('..') ? [] : [`:(top,exclude,literal)${path}`]
}

function untracked(status: string): string {
  const files = status.split('\n').filter(line => line.startsWith('?? '))
  return files.map(line => `# not in git: ${line.slice(3)}\n`).join('')
}

function git(folder: string, ...args: readonly string[]): Promise<string | null> {
  return new Promise(done => {
    execFile('git', ['-C', folder, ...args], { maxBuffer: maxDiffBytes, timeout: 10_000 }, (error, stdout) =>
      done(error ? null : stdout),
    )
  })
}
