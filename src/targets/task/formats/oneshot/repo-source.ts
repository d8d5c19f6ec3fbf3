import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RepoSource } from '../../task.ts'
import type { TaskFolder } from '../task-folder.ts'
import type { RepoSettings } from './oneshot-schema.ts'

/** The place of a task's repository; null and a problem if it should be on this machine and is not. */
export function repoSource(repo: RepoSettings, file: string, folder: TaskFolder): RepoSource | null {
  const commit =
    repo.start_commit_sha == null || ['', 'HEAD'].includes(repo.start_commit_sha) ? null : repo.start_commit_sha
  const unused = [...(repo.subdir ? ['subdir'] : []), ...(repo.sparse_checkout?.length ? ['sparse_checkout'] : [])]
  for (const key of unused) folder.notes.push(`${file}: repo.${key}: the whole repository is used, as OneShot does`)
  if (repo.git_url !== undefined) return { kind: 'git', url: repo.git_url, branch: repo.branch || 'main', commit }
  const path = repo.path ?? ''
  if (!folder.hasFolder(path)) {
    folder.problems.push(`${file}: repo.path: there is no folder "${path}"`)
    return null
  }
  const isRepository = existsSync(folder.path(path, '.git'))
  if (commit !== null && !isRepository) {
    folder.problems.push(`${file}: repo.start_commit_sha: "${path}" has no .git, so there is no commit ${commit} in it`)
    return null
  }
  return {
    kind: 'folder',
    path: folder.path(path),
    isRepository,
    commit: commit ?? (isRepository ? headOf(folder.path(path)) : null),
  }
}

/** The checked-out commit, so that a new one makes another task; null if the files don't show it. */
function headOf(repository: string): string | null {
  try {
    const head = readFileSync(join(repository, '.git', 'HEAD'), 'utf8').trim()
    const ref = /^ref: (.*)$/.exec(head)?.[1]
    if (ref === undefined) return head
    const file = join(repository, '.git', ref)
    if (existsSync(file)) return readFileSync(file, 'utf8').trim()
    const packed = readFileSync(join(repository, '.git', 'packed-refs'), 'utf8')
    return (
      packed
        .split('\n')
        .find(line => line.endsWith(` ${ref}`))
        ?.split(' ')[0] ?? null
    )
  } catch {
    return null
  }
}
