import { execFileSync } from 'node:child_process'

/** What changed in the code between two commits. */
export type CodeChange =
  | { readonly kind: 'changed'; readonly commits: number; readonly files: readonly string[] }
  | { readonly kind: 'unknown'; readonly reason: string }

/** As git tells it, in the folder of the experiment; only under `paths`, if any are given. */
export function codeBetween(folder: string, before: string, after: string, paths: readonly string[]): CodeChange {
  try {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const files = git('diff', '--stat=200', '--no-ext-diff', '--no-color', before, after, '--', ...paths)
    const commits = git('rev-list', '--count', `${before}..${after}`, '--', ...paths)
    return {
      kind: 'changed',
      commits: Number(commits.trim()),
      files: files.split('\n').filter(line => line.trim() !== ''),
    }
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim().split('\n')[0] : ''
    return { kind: 'unknown', reason: said === '' || said === undefined ? 'git could not tell' : said }
  }
}
