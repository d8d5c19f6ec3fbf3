import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

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

/** null where there is no git, or no commit yet. */
export async function gitState(folder: string): Promise<GitState | null> {
  if (!mayBeInRepository(folder)) return null
  const commit = await git(folder, 'rev-parse', 'HEAD')
  if (commit === null) return null
  const [branch, status, diff] = await Promise.all([
    git(folder, 'rev-parse', '--abbrev-ref', 'HEAD'),
    git(folder, 'status', '--porcelain'),
    git(folder, 'diff', 'HEAD', '--no-ext-diff', '--no-color'),
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
