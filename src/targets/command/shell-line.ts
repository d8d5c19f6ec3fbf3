import { shellQuote } from '../../util/words.ts'
import type { Part, Template } from './template.ts'

/** The position of a placeholder in a line for the shell. */
export type ShellPlace =
  | 'bare'
  | 'in_single_quotes'
  | 'in_double_quotes'
  | 'in_backticks'
  | 'in_comment'
  | 'in_here_document'
  | 'in_code'

export interface PlacedPart {
  readonly part: Part
  readonly place: ShellPlace
}

/**
 * A value quoted so that it stays one piece at its position, whatever it contains: quotes around a placeholder are
 * closed before it and opened again after it. Other positions are refused before anything runs.
 */
export function quotedAt(value: string, place: ShellPlace): string {
  if (place === 'in_single_quotes') return `'${shellQuote(value)}'`
  return place === 'in_double_quotes' ? `"${shellQuote(value)}"` : shellQuote(value)
}

/** Why a value can't be put there safely; null: it can. */
export function refusalAt(place: ShellPlace): string | null {
  switch (place) {
    case 'in_backticks':
      return 'is inside backticks, where its value could be read as a command: write $(…) instead'
    case 'in_comment':
      return 'is in a shell comment'
    case 'in_here_document':
      return 'is in a here-document, where its value could be read as a command'
    case 'in_code':
      return 'is in a text that another program reads as code (after -c, -e or eval)'
    default:
      return null
  }
}

/** The parts of a line, each with its position. */
export function placesIn(template: Template): readonly PlacedPart[] {
  const reader = new ShellReader()
  return template.map(part => {
    const place = reader.place()
    if (part.kind === 'text') reader.read(part.text)
    else reader.pass()
    return { part, place }
  })
}

type Quote = "'" | '"' | '`' | '$('

/**
 * As much of the shell's grammar as is needed to see where quotes begin and end (POSIX.1-2024, Shell Command Language,
 * 2.2 and 2.6.3).
 */
class ShellReader {
  readonly #open: Quote[] = []
  #isEscaped = false
  #isComment = false
  #hasHereDocument = false
  #isInHereDocument = false
  /** The word that is being read, and those before it in the same command. */
  #word = ''
  #words: string[] = []

  place(): ShellPlace {
    if (this.#isInHereDocument) return 'in_here_document'
    if (this.#isComment) return 'in_comment'
    if (this.#open.includes('`')) return 'in_backticks'
    const last = this.#open.at(-1)
    if (this.#isCode()) return 'in_code'
    return last === "'" ? 'in_single_quotes' : last === '"' ? 'in_double_quotes' : 'bare'
  }

  /** Something that is not part of the grammar. */
  pass(): void {
    this.#word += 'x'
    this.#isEscaped = false
  }

  read(text: string): void {
    for (const [at, character] of [...text].entries()) this.#next(character, text.slice(at + 1))
  }

  #next(character: string, rest: string): void {
    const last = this.#open.at(-1)
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isComment) this.#isComment = character !== '\n'
    else if (last === "'") this.#close(character, "'")
    else if (character === '\\') this.#isEscaped = true
    else if (character === '`') this.#toggle('`')
    else if (character === '$' && rest.startsWith('(')) this.#open.push('$(')
    else if (last === '"') this.#close(character, '"')
    else this.#outside(character, last)
    if (character === '\n' && this.#hasHereDocument && this.#open.length === 0) this.#isInHereDocument = true
  }

  #outside(character: string, last: Quote | undefined): void {
    if (character === "'" || character === '"') this.#open.push(character)
    else if (character === ')' && last === '$(') this.#open.pop()
    else if (character === '#' && this.#word === '') this.#isComment = true
    else if (/[\s;|&()<>]/.test(character)) {
      if (character === '<' && this.#word === '<') this.#hasHereDocument = true
      this.#endWord(character)
      return
    }
    this.#word += character
  }

  #endWord(character: string): void {
    if (/[;|&()\n]/.test(character)) this.#words = []
    else if (this.#word !== '' && this.#word !== '<') this.#words.push(this.#word)
    this.#word = character === '<' ? '<' : ''
  }

  #close(character: string, quote: Quote): void {
    if (character === quote) this.#open.pop()
    else this.#word += character
  }

  #toggle(quote: Quote): void {
    if (this.#open.at(-1) === quote) this.#open.pop()
    else this.#open.push(quote)
  }

  /**
   * `sh -c "…"`, `python -c '…'`, `perl -e '…'` and `eval …` read the text again. One that is nothing but the value, as in
   * `sh -c {script}`, is meant to be read.
   */
  #isCode(): boolean {
    if (this.#words.includes('eval')) return true
    const isEmbedded = this.#word !== '' || this.#open.length > 0
    return (
      isEmbedded && this.#words.some(word => interpreter.test(word)) && /^-\w*[cer]$/.test(this.#words.at(-1) ?? '')
    )
  }
}

const interpreter = /^(?:.*\/)?(?:ba|da|z|k|a|fi)?sh$|^(?:.*\/)?(?:python|perl|ruby|node|php|awk|Rscript)[\d.]*$/
