import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files and folders of a repository that match patterns, relative to it: `*` and `?` stay within a name, `**` goes
 * through folders, a slash at the end is allowed. `.git` is never among them, and links are not followed.
 */
export function removedPaths(repository: string, patterns: readonly string[]): readonly string[] {
  const tests = patterns.map(pattern => new RegExp(`^${expression(pattern)}$`))
  return [...matching(repository, '', tests)]
}

/** Everything below a matching path is removed with it, so it need not be searched. */
function* matching(repository: string, below: string, tests: readonly RegExp[]): Generator<string> {
  const entries = readdirSync(join(repository, below), { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name === '.git') continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (tests.some(test => test.test(path))) yield path
    else if (entry.isDirectory()) yield* matching(repository, path, tests)
  }
}

function expression(pattern: string): string {
  const parts = pattern
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '')
    .split('/')
    .filter(part => part !== '' && part !== '.')
  return parts
    .map((part, at) => (part === '**' ? doubleStar(at === parts.length - 1) : withSlash(part, at, parts)))
    .join('')
}

/** `**` at the end is everything below; elsewhere any number of folders, also none. */
const doubleStar = (isLast: boolean): string => (isLast ? '.+' : '(?:[^/]+/)*')

const withSlash = (part: string, at: number, parts: readonly string[]): string =>
  `${part.replaceAll(/[\\^$.*+?()[\]{}|]/g, oneCharacter)}${at === parts.length - 1 ? '' : '/'}`

const oneCharacter = (character: string): string =>
  character === '*' ? '[^/]*' : character === '?' ? '[^/]' : `\\${character}`
