import { AssayError } from '../../../util/errors.ts'

/** One instruction of a Dockerfile: continued lines joined, comments gone. */
export interface Instruction {
  readonly line: number
  /** In capitals. */
  readonly name: string
  /** `--chown=…` and the like, which come first. */
  readonly flags: Readonly<Record<string, string>>
  readonly rest: string
  /** Texts that follow it, each up to its own end mark. */
  readonly documents: readonly Document[]
}

interface Document {
  readonly mark: string
  readonly text: string
}

export function readInstructions(text: string): readonly Instruction[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const joiner = /^#\s*escape\s*=\s*([`\\])\s*$/im.exec(lines.slice(0, 5).join('\n'))?.[1] ?? '\\'
  const found: Instruction[] = []
  for (let index = 0; index < lines.length; ) {
    const start = index
    const joined: string[] = []
    for (let goesOn = true; goesOn && index < lines.length; index += 1) {
      const line = lines[index] ?? ''
      // Comments and empty lines are allowed between the lines of an instruction.
      if (/^\s*(#|$)/.test(line)) {
        if (joined.length === 0) goesOn = false
        continue
      }
      goesOn = line.trimEnd().endsWith(joiner)
      joined.push(goesOn ? line.trimEnd().slice(0, -1) : line)
    }
    if (joined.length === 0) continue
    const whole = joined.join(' ').trim()
    const documents: Document[] = []
    for (const { mark, isIndented } of marksIn(whole)) {
      const end = lines.findIndex((line, at) => at >= index && (isIndented ? line.replace(/^\t+/, '') : line) === mark)
      if (end < 0) throw refused(start + 1, whole, `the text that ${mark} should end has no end`)
      const body = lines.slice(index, end).map(line => (isIndented ? line.replace(/^\t+/, '') : line))
      documents.push({ mark, text: body.map(line => `${line}\n`).join('') })
      index = end + 1
    }
    found.push(instructionOf(start + 1, whole, documents))
  }
  return found
}

const heredoc = /<<(-?)(["']?)([A-Za-z_][\w.]*)\2/g

/** Only RUN, COPY and ADD know them; `<<<` is something of the shell's. */
function marksIn(whole: string): readonly { readonly mark: string; readonly isIndented: boolean }[] {
  if (!/^(RUN|COPY|ADD)\s/i.test(whole)) return []
  return [...whole.replaceAll('<<<', '   ').matchAll(heredoc)].map(([, dash, , mark = '']) => ({
    mark,
    isIndented: dash === '-',
  }))
}

function instructionOf(line: number, whole: string, documents: readonly Document[]): Instruction {
  const [, name = '', after = ''] = /^(\S+)\s*(.*)$/s.exec(whole) ?? []
  const flags: Record<string, string> = {}
  let rest = after
  for (let flag = readFlag(rest); flag !== null; flag = readFlag(rest)) {
    // RUN may have several mounts.
    flags[flag.name] = flag.name in flags ? `${flags[flag.name]} ${flag.value}` : flag.value
    rest = rest.slice(flag.length)
  }
  return { line, name: name.toUpperCase(), flags, rest: rest.trim(), documents }
}

function readFlag(text: string) {
  const match = /^--([a-z-]+)(?:=(\S*))?\s*/.exec(text)
  return match === null ? null : { name: match[1] ?? '', value: match[2] ?? 'true', length: match[0].length }
}

/** The instruction and the line of it, so that a reader finds it at once. */
export const refused = (line: number, text: string, why: string): AssayError =>
  new AssayError('unsupported_environment', `Dockerfile line ${line}: ${why}: ${shortened(text)}`, {
    hint: 'Use a sandbox that builds images (docker or podman), or write the Dockerfile without it.',
    facts: { line, step: text },
  })

/** For messages: its first line. */
export function shortened(text: string): string {
  const [first = '', ...more] = text.trim().split('\n')
  const line = first.replaceAll(/\s+/g, ' ')
  return line.length > 160 || more.length > 0 ? `${line.slice(0, 157)}…` : line
}
