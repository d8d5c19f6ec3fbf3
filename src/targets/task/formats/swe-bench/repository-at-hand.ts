import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The clone of `owner/name` in a folder of clones, plain or bare, under any common name; null: none. */
export function repositoryAtHand(repo: string, folder: string | null): string | null {
  if (folder === null) return null
  const [owner = '', name = ''] = repo.split('/')
  const names = [`${owner}/${name}`, `${owner}__${name}`, `${owner}-${name}`, name].flatMap(one => [one, `${one}.git`])
  const found = names.map(one => join(folder, one)).find(isRepository)
  return found ?? null
}

const isRepository = (path: string): boolean =>
  existsSync(join(path, '.git')) || (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects')))
