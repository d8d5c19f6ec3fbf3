/** One file of a patch. */
export interface DiffFile {
  readonly path: string
  /** Its previous path, if it was moved. */
  readonly from: string | null
  readonly kind: 'changed' | 'added' | 'deleted' | 'renamed'
  readonly isBinary: boolean
  readonly added: number
  readonly removed: number
  readonly lines: readonly DiffLine[]
}

export interface DiffLine {
  readonly kind: 'added' | 'removed' | 'same' | 'place' | 'note'
  readonly text: string
}

/** The files of a patch as git writes it. Lines that belong to no file are left out; a patch may be cut anywhere. */
export function diffFiles(patch: string): readonly DiffFile[] {
  return sectionsOf(patch.replace(/\n$/, '').split('\n')).map(fileOf)
}

/** A new file can only begin outside of hunks: a line of a file may look like anything. */
function sectionsOf(lines: readonly string[]): readonly (readonly string[])[] {
  const sections: string[][] = []
  let left: Hunk = { before: 0, after: 0 }
  for (const line of lines) {
    const isInHunk = left.before > 0 || left.after > 0
    if (!isInHunk && line.startsWith('diff --git ')) sections.push([])
    left = isInHunk ? after(left, line) : (hunkOf(line) ?? left)
    sections.at(-1)?.push(line)
  }
  return sections
}

/** How many lines of the old and the new file are still to come. */
interface Hunk {
  readonly before: number
  readonly after: number
}

function hunkOf(line: string): Hunk | null {
  const [, before, after] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? []
  return line.startsWith('@@ -') ? { before: Number(before ?? 1), after: Number(after ?? 1) } : null
}

function after({ before, after: rest }: Hunk, line: string): Hunk {
  if (line.startsWith('\\')) return { before, after: rest }
  return {
    before: line.startsWith('+') ? before : before - 1,
    after: line.startsWith('-') ? rest : rest - 1,
  }
}

function fileOf([head = '', ...rest]: readonly string[]): DiffFile {
  const start = rest.findIndex(line => /^(@@ -|GIT binary patch|Binary files )/.test(line))
  const about = start === -1 ? rest : rest.slice(0, start)
  const body = start === -1 ? [] : rest.slice(start)
  const isBinary = body[0] !== undefined && !body[0].startsWith('@@')
  const lines = isBinary ? [] : body.map(lineOf)
  const said = (word: string): string | null => about.find(line => line.startsWith(word))?.slice(word.length) ?? null
  const from = said('rename from ') ?? said('copy from ')
  return {
    path: said('rename to ') ?? said('copy to ') ?? pathIn(said('+++ ')) ?? pathIn(said('--- ')) ?? pathOfHead(head),
    from,
    kind:
      said('new file') !== null
        ? 'added'
        : said('deleted file') !== null
          ? 'deleted'
          : from !== null
            ? 'renamed'
            : 'changed',
    isBinary,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    lines,
  }
}

/** `a/src/x.py`, or in quotes if the name has unusual characters. */
function pathIn(said: string | null): string | null {
  const path = said === null ? null : said.replace(/\t$/, '').replace(/^"(.*)"$/, '$1')
  return path === null || path === '/dev/null' ? null : path.replace(/^[ab]\//, '')
}

/** Both halves are the same path, which may contain a space. */
function pathOfHead(head: string): string {
  const names = head.slice('diff --git '.length)
  return pathIn(names.slice(0, (names.length - 1) / 2)) ?? names
}

const kinds: Readonly<Record<string, DiffLine['kind']>> = { '+': 'added', '-': 'removed', '@': 'place', '\\': 'note' }

const lineOf = (text: string): DiffLine => ({ kind: kinds[text.charAt(0)] ?? 'same', text })
