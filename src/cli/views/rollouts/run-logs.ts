import { closeSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { outputFiles } from '../../../record/places.ts'
import { openRegular } from '../../../util/files.ts'

/** How much of a file is read at a time, and at most per refresh while the run continues. */
const pieceBytes = 64 * 1024

/** Follows the output files of runs, like `tail -f`: build, agent and tests in `logs/`, and the program's own output. */
export class RunLogs {
  readonly #runs = new Map<string, { readonly dir: string; readonly files: Map<string, Followed> }>()

  begin(run: string, dir: string): void {
    this.#runs.set(run, { dir, files: new Map() })
  }

  /**
   * New complete lines of all running runs, `<run> | <line>`.
   */
  look(): readonly string[] {
    return [...this.#runs.keys()].flatMap(run => this.#linesOf(run, pieceBytes, false))
  }

  /** The rest of a run's lines. */
  end(run: string): readonly string[] {
    const lines = this.#linesOf(run, Number.POSITIVE_INFINITY, true)
    this.#runs.delete(run)
    return lines
  }

  #linesOf(run: string, most: number, isLast: boolean): readonly string[] {
    const followed = this.#runs.get(run)
    if (followed === undefined) return []
    const { dir, files } = followed
    return logFilesIn(dir).flatMap(path => {
      const file = files.get(path) ?? new Followed(join(dir, path))
      files.set(path, file)
      return file.read(most, isLast).map(line => `${run} | ${line}`)
    })
  }
}

/** The output files of a run, relative to its folder, whether they exist or not. */
export function logFilesIn(dir: string): readonly string[] {
  return [...logsIn(join(dir, 'logs')).map(name => `logs/${name}`), ...Object.values(outputFiles)]
}

function logsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter(name => name.endsWith('.log'))
      .toSorted()
  } catch {
    return []
  }
}

class Followed {
  readonly #file: string
  readonly #decoder = new StringDecoder('utf8')
  #offset = 0
  #rest = ''

  constructor(file: string) {
    this.#file = file
  }

  read(most: number, isLast: boolean): readonly string[] {
    const opened = openedOrNull(this.#file)
    if (opened !== null)
      try {
        this.#readFrom(opened, most)
      } finally {
        closeSync(opened)
      }
    const lines = this.#rest.split(/\r?\n/)
    this.#rest = isLast ? '' : (lines.pop() ?? '')
    return lines.map(harmless).filter(line => line !== '')
  }

  #readFrom(descriptor: number, most: number): void {
    const buffer = Buffer.alloc(pieceBytes)
    for (let read = 0; read < most; ) {
      const length = readSync(descriptor, buffer, 0, buffer.length, this.#offset)
      if (length === 0) return
      this.#offset += length
      read += length
      this.#rest += this.#decoder.write(buffer.subarray(0, length))
    }
  }
}

/** Escape sequences and control characters of a program in a box must not reach the terminal. */
export const harmless = (line: string): string =>
  stripVTControlCharacters(line)
    .replace(/(?!\t)\p{Cc}+/gu, '')
    .trimEnd()

/** A run may have put anything in its place, or nothing yet. */
function openedOrNull(file: string): number | null {
  try {
    const opened = openRegular(file)
    return opened === 'missing' || 'problem' in opened ? null : opened.descriptor
  } catch {
    return null
  }
}
