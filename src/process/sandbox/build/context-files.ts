import { existsSync, globSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join, matchesGlob, relative, resolve } from 'node:path'
import { sha256 } from '../../../util/hash.ts'
import type { Placed } from '../box.ts'
import { refused } from '../dockerfile/instructions.ts'
import type { Step } from '../recipe.ts'

type CopyStep = Step & { readonly kind: 'copy' }

/** The files that a COPY step means, and where each goes, by Docker's rules. */
export function filesOf(step: CopyStep, context: string | null): readonly Placed[] {
  if (context === null) throw refused(step.line, step.text, 'there is no folder to copy from')
  const folder = resolve(context)
  const isIgnored = ignoredIn(folder)
  const sources = step.from.flatMap(pattern => {
    const name = relative('/', resolve('/', pattern)) || '.'
    const found = /[*?[]/.test(name) ? globSync(name, { cwd: folder }) : existsSync(join(folder, name)) ? [name] : []
    const kept = found.filter(path => !isIgnored(path))
    if (kept.length === 0) throw refused(step.line, step.text, `${pattern} is not in the folder of the Dockerfile`)
    return kept.sort()
  })
  const intoFolder = step.to.endsWith('/') || sources.length > 1
  return sources.flatMap(name => {
    const source = join(folder, name)
    if (!lstatSync(source).isDirectory())
      return [{ source, target: intoFolder ? join(step.to, basename(source)) : step.to }]
    return [...filesBelow(folder, name, isIgnored)].map(path => ({
      source: join(folder, path),
      target: join(step.to, relative(name, path)),
    }))
  })
}

/** A complete folder if nothing in it is left out, so that a large one is one copy. */
function* filesBelow(context: string, name: string, isIgnored: (path: string) => boolean): Generator<string> {
  if (!hasIgnored(context, name, isIgnored)) return yield name
  for (const child of readdirSync(join(context, name))) {
    const path = join(name, child)
    if (isIgnored(path)) continue
    if (lstatSync(join(context, path)).isDirectory()) yield* filesBelow(context, path, isIgnored)
    else yield path
  }
}

const hasIgnored = (context: string, name: string, isIgnored: (path: string) => boolean): boolean =>
  readdirSync(join(context, name), { recursive: true, encoding: 'utf8' }).some(child => isIgnored(join(name, child)))

/** What .dockerignore leaves out: the last pattern that matches a path or a folder above it decides. */
function ignoredIn(context: string): (path: string) => boolean {
  const file = join(context, '.dockerignore')
  const patterns = (existsSync(file) ? readFileSync(file, 'utf8') : '')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => ({
      keeps: line.startsWith('!'),
      glob: line.replace(/^!/, '').replace(/^\/+/, '').replace(/\/+$/, ''),
    }))
  return path => {
    const parts = path.split('/')
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
    const last = patterns.findLast(({ glob }) => above.some(part => matchesGlob(part, glob)))
    return last !== undefined && !last.keeps
  }
}

/** Of names, modes and content, in an order independent of the disk. */
export function digestOf(path: string): string {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return sha256(`link ${readlinkSync(path)}`)
  if (!found.isDirectory()) return sha256(`${(found.mode & 0o111) !== 0} ${sha256(readFileSync(path))}`)
  const children = readdirSync(path).sort()
  return sha256(children.map(name => `${name} ${digestOf(join(path, name))}`).join('\n'))
}
