import { posix } from 'node:path'
import type { Recipe, Step } from '../recipe.ts'
import { type Instruction, readInstructions, refused } from './instructions.ts'
import { jsonList, splitWords, substitute, unquoted } from './words.ts'

/**
 * The steps of a Dockerfile that can be done without an image: FROM (noted), RUN, COPY, ADD of local files, ENV, ARG,
 * WORKDIR, USER, SHELL. Several stages, other images' files and downloads by ADD are refused with their line.
 */
export function parseDockerfile(text: string, context: string | null, dockerfile: string | null = null): Recipe {
  const reader = new Reader()
  for (const instruction of readInstructions(text)) reader.read(instruction)
  return { image: reader.image, steps: reader.steps, context, dockerfile, notes: reader.notes }
}

/** Without meaning for a box: they say how the image would be started, or describe it. */
const noted = new Set([
  'EXPOSE',
  'LABEL',
  'CMD',
  'ENTRYPOINT',
  'VOLUME',
  'STOPSIGNAL',
  'HEALTHCHECK',
  'MAINTAINER',
  'ONBUILD',
])

/** Variables that BuildKit sets, and those of every image. */
const given = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  TARGETARCH: process.arch === 'x64' ? 'amd64' : process.arch,
  TARGETOS: 'linux',
  TARGETPLATFORM: `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`,
}

class Reader {
  image: string | null = null
  readonly steps: Step[] = []
  readonly notes: string[] = []
  #variables: Record<string, string> = { ...given }
  #workdir = '/'
  #shell: readonly string[] = ['/bin/sh', '-c']

  read(instruction: Instruction): void {
    const { name, rest, line } = instruction
    const text = `${name} ${rest}`
    if (noted.has(name)) return void this.notes.push(`line ${line}: ${name} has no effect here`)
    switch (name) {
      case 'FROM':
        return void this.#from(instruction, text)
      case 'RUN':
        return void this.#run(instruction, text)
      case 'COPY':
      case 'ADD':
        return void this.#copy(instruction, text)
      case 'ENV':
        for (const [key, value] of this.#pairs(rest, line, text)) {
          this.#variables[key] = value
          this.steps.push({ kind: 'env', name: key, value, line, text })
        }
        return
      case 'ARG':
        return void this.#arg(rest, line, text)
      case 'WORKDIR':
        this.#workdir = posix.resolve(this.#workdir, this.#word(rest))
        return void this.steps.push({ kind: 'workdir', path: this.#workdir, line, text })
      case 'USER':
        return void this.steps.push({ kind: 'user', name: this.#word(rest), line, text })
      case 'SHELL':
        this.#shell = jsonList(rest) ?? fail(line, text, 'SHELL needs a list')
        return
      default:
        throw refused(line, text, `${name} is not known`)
    }
  }

  #from({ rest, line, flags }: Instruction, text: string): void {
    if (this.image !== null) throw refused(line, text, 'a build in several stages is not supported')
    if (flags.platform !== undefined) this.notes.push(`line ${line}: --platform has no effect here`)
    const [image = ''] = splitWords(substitute(rest, this.#variables))
    this.image = image
  }

  #run({ rest, line, flags, documents }: Instruction, text: string): void {
    const mounts = (flags.mount ?? '').split(' ').filter(Boolean)
    const unusable = mounts.find(mount => !/(^|,)type=(cache|tmpfs)(,|$)/.test(mount))
    if (unusable !== undefined) throw refused(line, text, `RUN with --mount=${unusable} is not supported`)
    if (mounts.length > 0) this.notes.push(`line ${line}: --mount has no effect here`)
    const list = jsonList(rest)
    if (list !== null) return void this.steps.push({ kind: 'run', argv: list, line, text })
    const [only] = documents
    // A text alone is the script itself; behind a command it is the command's input, which the shell knows how to give.
    const isScript = documents.length === 1 && only !== undefined && /^<<-?["']?[\w.]+["']?$/.test(rest)
    const script = isScript
      ? only.text
      : [rest, ...documents.flatMap(({ text: body, mark }) => [body + mark])].join('\n')
    const whole = isScript ? `${text}\n${only.text}` : text
    const interpreter = isScript ? /^#!\s*(\S+)(?:\s+(\S+))?/.exec(script) : null
    const argv =
      interpreter === null
        ? [...this.#shell, script]
        : ['/bin/sh', '-c', 'f=$(mktemp) && cat > "$f" && chmod +x "$f" && "$f"', 'sh']
    this.steps.push({
      kind: 'run',
      argv,
      ...(interpreter === null ? {} : { stdin: script }),
      line,
      text: whole,
    })
  }

  #copy({ name, rest, line, flags, documents }: Instruction, text: string): void {
    for (const flag of ['from', 'parents', 'exclude'])
      if (flags[flag] !== undefined) throw refused(line, text, `${name} --${flag} is not supported`)
    if (flags.chown !== undefined) this.notes.push(`line ${line}: --chown has no effect here`)
    const mode = /^[0-7]{3,4}$/.test(flags.chmod ?? '') ? Number.parseInt(flags.chmod ?? '', 8) : null
    if (flags.chmod !== undefined && mode === null) throw refused(line, text, `--chmod=${flags.chmod} is not supported`)
    const words = (jsonList(rest) ?? splitWords(rest)).map(word => substitute(word, this.#variables))
    const to = words.at(-1)
    const from = words.slice(0, -1)
    if (to === undefined || from.length === 0) throw refused(line, text, `${name} needs a source and a destination`)
    const target = posix.resolve(this.#workdir, to) + (to.endsWith('/') && to !== '/' ? '/' : '')
    const files = from.filter(word => !word.startsWith('<<'))
    for (const { mark, text: content } of documents) {
      const at = target.endsWith('/') || from.length > 1 ? posix.join(target, mark) : target
      this.steps.push({ kind: 'write', content, to: at, mode, line, text })
    }
    if (files.length === 0) return
    const remote = files.find(file => /^[a-z+]+:\/\/|^git@/.test(file))
    if (remote !== undefined) throw refused(line, text, `${name} of an address is not supported`)
    const archive = name === 'ADD' ? files.find(file => /\.(tar|tar\.\w+|tgz|tbz2|txz)$/.test(file)) : undefined
    if (archive !== undefined) throw refused(line, text, 'ADD of an archive, which would be unpacked, is not supported')
    this.steps.push({ kind: 'copy', from: files, to: target, mode, line, text })
  }

  #arg(rest: string, line: number, text: string): void {
    for (const word of splitWords(rest)) {
      const [name = '', ...value] = word.split('=')
      const known = value.length > 0 ? substitute(value.join('='), this.#variables) : this.#variables[name]
      if (known === undefined) this.notes.push(`line ${line}: ${name} has no value`)
      this.#variables[name] = known ?? ''
      this.steps.push({ kind: 'arg', name, value: known ?? '', line, text })
    }
  }

  /** `a=b c="d e"`, or the old `a b c`. All values are put in before any of them is set. */
  #pairs(rest: string, line: number, text: string): readonly (readonly [string, string])[] {
    if (!/^[^\s=]+=/.test(rest)) {
      const [, name = '', value = ''] = /^(\S+)\s+(.*)$/s.exec(rest) ?? fail(line, text, 'ENV needs a name and a value')
      return [[name, this.#word(value)]]
    }
    return splitWords(rest).map(word => {
      const at = word.indexOf('=')
      if (at < 1) throw refused(line, text, 'ENV needs name=value')
      return [word.slice(0, at), substitute(word.slice(at + 1), this.#variables)]
    })
  }

  #word = (text: string): string => substitute(unquoted(text), this.#variables)
}

function fail(line: number, text: string, why: string): never {
  throw refused(line, text, why)
}
