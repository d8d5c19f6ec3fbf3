import { longFlag, type OptionName, optionFor, optionSpec } from '../options.ts'

/** A word of the command line, or an option with its value, spelt as the table spells it. */
export interface Token {
  /** null for a word that is no option we know. */
  readonly option: OptionName | null
  readonly words: readonly string[]
}

/**
 * Splits a command line so that other spellings of an option (`--dry_run`, `--limit`) become its own, while values
 * stay as they are, even if they look like an option.
 */
export function readTokens(argv: readonly string[]): Token[] {
  const tokens: Token[] = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    if (word === '--') return [...tokens, { option: null, words: argv.slice(i) }]
    const [name = '', ...valueParts] = word.startsWith('--') ? word.split('=') : [word]
    const option = optionFor(name)
    if (option === undefined) tokens.push({ option: null, words: [asLong(word)] })
    else if (valueParts.length > 0) tokens.push({ option, words: [`${longFlag(option)}=${valueParts.join('=')}`] })
    else if (optionSpec(option).value === undefined) tokens.push({ option, words: [longFlag(option)] })
    else tokens.push({ option, words: [longFlag(option), ...argv.slice(++i, i + 1)] })
  }
  return tokens
}

/** An unknown `--dry_rum` is spelt like ours before it is refused, so that the suggestion fits. */
function asLong(word: string): string {
  return /^--[a-z_-]+$/i.test(word) ? word.replaceAll('_', '-') : word
}
