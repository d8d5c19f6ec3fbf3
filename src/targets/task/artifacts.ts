import { createHash } from 'node:crypto'
import { closeSync, lstatSync, openSync, readdirSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Box, Left } from '../../process/sandbox/box.ts'
import { writeWhole } from '../../util/files.ts'
import type { AgentFacts } from './evaluate/results-file.ts'
import type { RepoFacts } from './stage.ts'
import type { Artifact, Task } from './task.ts'

/** The files copied out of a box: the changes, and the files that the task requests. */
export interface Taken {
  readonly diff: string
  readonly left: readonly Left[]
}

/** No artifact is worth filling a disk. */
const mostBytes = 200 * 1_000_000
const mostDiff = 20 * 1_000_000

export async function takeOut(box: Box, artifacts: readonly Artifact[], folder: string): Promise<Taken> {
  const { patch, left } = await box.diff({ mostBytes: mostDiff })
  const all = [...left]
  for (const { source, destination } of artifacts) {
    const copied = await box.copyOut(source, join(folder, destination ?? basename(source)), { mostBytes })
    all.push(...copied.left)
  }
  return { diff: patch, left: all }
}

/** Below the run's folder: the files that the agent touched, for judges. */
export const touchedFolder = 'touched'

const mostTouched = 50
const mostTouchedBytes = 200_000

/** Small files, and not too many: judges see no more. */
export async function takeTouched(
  box: Box,
  diff: string,
  { dir, workdir }: { readonly dir: string; readonly workdir: string },
): Promise<void> {
  rmSync(join(dir, touchedFolder), { recursive: true, force: true })
  for (const path of touchedFiles(diff).slice(0, mostTouched))
    await box.copyOut(`${workdir}/${path}`, join(dir, touchedFolder, path), { mostBytes: mostTouchedBytes })
}

/** Paths that a patch touches, in its order. */
export const touchedFiles = (diff: string): readonly string[] => [
  ...new Set(
    [...diff.matchAll(/^diff --git (?:a\/(.+) b\/\1|"a\/(.+)" "b\/\2")$/gm)].map(
      ([, plain, quoted = '']) => plain ?? unquoted(quoted),
    ),
  ),
]

/** Git writes non-ASCII names like C strings, byte by byte. */
function unquoted(text: string): string {
  const escaped: { readonly [letter: string]: string } = {
    n: '\n',
    t: '\t',
    r: '\r',
    b: '\b',
    f: '\f',
    v: '\v',
    a: '\x07',
  }
  const bytes = text.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escaped[code] ?? code),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The files named in OneShot's guide, and a list of all of them with sizes and digests. */
export function writeArtifacts(
  folder: string,
  about: {
    readonly task: Task
    readonly taken: Taken
    readonly repo: RepoFacts | null
    readonly agent: AgentFacts
    readonly lastWords: string
  },
): void {
  const { task, taken, repo, agent, lastWords } = about
  const touched = touchedFiles(taken.diff)
  writeWhole(join(folder, 'diff.patch'), taken.diff)
  writeWhole(
    join(folder, 'repo_info.json'),
    json({ remote_urls: [], branch: null, start_commit: null, ...repo, end_commit: null, touched_files: touched }),
  )
  writeWhole(join(folder, 'notes.md'), notes(task, agent, touched, lastWords))
  writeFileSync(join(folder, 'manifest.json'), json({ files: listed(folder), left_out: taken.left }))
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

function notes(task: Task, agent: AgentFacts, touched: readonly string[], lastWords: string): string {
  const changed = touched.length === 0 ? 'No files were changed.' : touched.map(path => `- ${path}`).join('\n')
  return [
    `# ${task.title}`,
    `${agent.name}${agent.model === null ? '' : ` with ${agent.model}`} worked for ${agent.wall_s.toFixed(1)} s and ended: ${agent.ended}.`,
    `## Files changed\n\n${changed}`,
    ...(lastWords.trim() === '' ? [] : [`## Its last words\n\n${indented(lastWords)}`]),
    '',
  ].join('\n\n')
}

const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map(line => `    ${line}`)
    .join('\n')

interface Listed {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

function listed(folder: string, below = ''): readonly Listed[] {
  const entries = readdirSync(join(folder, below), { withFileTypes: true }).toSorted((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  return entries.flatMap(entry => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return listed(folder, path)
    if (!entry.isFile() || path === 'manifest.json') return []
    return [{ path, bytes: lstatSync(join(folder, path)).size, sha256: sha256OfFile(join(folder, path)) }]
  })
}

/** In pieces: an artifact may be larger than is good for memory. */
export function sha256OfFile(file: string): string {
  const digest = createHash('sha256')
  const descriptor = openSync(file, 'r')
  try {
    const piece = Buffer.allocUnsafe(1 << 20)
    for (let read = readSync(descriptor, piece); read > 0; read = readSync(descriptor, piece))
      digest.update(piece.subarray(0, read))
    return digest.digest('hex')
  } finally {
    closeSync(descriptor)
  }
}
