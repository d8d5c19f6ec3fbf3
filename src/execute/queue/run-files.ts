import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, isAbsolute, join, normalize, sep } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Job } from '../../define/run.ts'
import { newRunFolder } from '../../perform/perform.ts'
import { elsewhereFile } from '../../record/places.ts'
import type { WireFiles } from './wire-result.ts'

/** The most that a run's packed files may take to travel with its result. */
const mostBytes = 1_000_000

/** The files that users read first, then the rest, small ones before large ones. */
const first = ['meta.json', 'result.json', 'stderr.txt', 'stdout.txt', 'metrics.jsonl']

/** Packs the files of a run that fit into its result, and records where the others are. */
export function packFiles(runDir: string): WireFiles {
  const contents: Record<string, string> = {}
  const left: string[] = []
  let room = mostBytes
  for (const { path, bytes } of filesIn(runDir)) {
    const packed = bytes > 20 * room ? null : gzipSync(readFileSync(join(runDir, path))).toString('base64')
    if (packed === null || packed.length > room) left.push(path)
    else {
      contents[path] = packed
      room -= packed.length
    }
  }
  return { contents, left: left.length === 0 ? null : { host: hostname(), dir: runDir, paths: left } }
}

/** Regular files only: a run may leave pipes, and links to anywhere. Earlier attempts came with their own results. */
function filesIn(runDir: string): readonly { readonly path: string; readonly bytes: number }[] {
  const found: { path: string; bytes: number }[] = []
  const walk = (folder: string) => {
    for (const name of readdirSync(join(runDir, folder))) {
      const path = join(folder, name)
      if (path === 'attempts') continue
      const status = lstatSync(join(runDir, path))
      if (status.isDirectory()) walk(path)
      else if (status.isFile()) found.push({ path, bytes: status.size })
    }
  }
  walk('')
  const rank = (path: string) => (first.includes(path) ? first.indexOf(path) : first.length)
  return found.sort((a, b) => rank(a.path) - rank(b.path) || a.bytes - b.bytes || (a.path < b.path ? -1 : 1))
}

/** Writes the files of a result into the run's folder, as if the run had been performed here. */
export function unpackFiles(dir: string, job: Job, { contents, left }: WireFiles): void {
  const folder = newRunFolder(dir, job)
  for (const [path, packed] of Object.entries(contents)) {
    const inside = normalize(path)
    if (isAbsolute(inside) || inside.split(sep)[0] === '..') continue
    const file = join(folder, inside)
    if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, gunzipSync(Buffer.from(packed, 'base64')))
  }
  if (left !== null) writeFileSync(join(folder, elsewhereFile), `${JSON.stringify(left, null, 2)}\n`)
}
