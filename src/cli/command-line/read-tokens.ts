import { longFlag } from '../../util/words.ts'
import { type OptionName, optionFor, optionSpec } from '../options.ts'

/** A word of the command line, or an option with its value, spelt as the table spells it. */
export interface Token {
  /** null for a word that is not a known option. */
  readonly option: OptionName | null
  readonly words: readonly string[]
}

/**
 * Splits a command line so that other spellings of an option (`--dry_run`, `--limit`) become the table's spelling,
 * while values stay unchanged, even if they look like an option. A prefix of an option's name is enough if it matches
 * only one of `own`, the options of the command, as in Python's argparse.
 */
export function readTokens(argv: readonly string[], own: readonly OptionName[] = []): Token[] {
  const tokens: Token[] = []
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] ?? ''
    if (word === '--') return [...tokens, { option: null, words: argv.slice(i) }]
    const [name = '', ...valueParts] = word.startsWith('--') ? word.split('=') : [word]
    const option = optionFor(name) ?? optionBeginning(name, own)
    if (option === undefined) tokens.push({ option: null, words: [asLong(word)] })
    else if (valueParts.length > 0) tokens.push({ option, words: [`${longFlag(option)}=${valueParts.join('=')}`] })
    else if (optionSpec(option).value === undefined) tokens.push({ option, words: [longFlag(option)] })
    else if (optionSpec(option).isVariadic) {
      const values = wordsUpToOption(argv.slice(i + 1))
      i += values.length
      tokens.push({ option, words: values.flatMap(value => [longFlag(option), value]) })
    } else tokens.push({ option, words: [longFlag(option), ...argv.slice(++i, i + 1)] })
  }
  return tokens
}

/** At least one word: the parser refuses an option without a value. */
function wordsUpToOption(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word, index) => index > 0 && word.startsWith('--'))
  return end < 0 ? words : words.slice(0, end)
}

/** An unknown `--dry_rum` gets our spelling before it is refused, so that the suggestion fits. */
function asLong(word: string): string {
  return /^--[a-z_-]+$/i.test(word) ? word.replaceAll('_', '-') : word
}

/** The options of the programs that assay replaces: if several match, theirs is meant. */
const originals: readonly OptionName[] = [
  ...(['config', 'expName', 'outRoot', 'jobs', 'dryRun', 'resume', 'failFast'] as const),
  ...(['expDir', 'outCsv', 'runsCsv', 'outDir'] as const),
]

function optionBeginning(word: string, own: readonly OptionName[]): OptionName | undefined {
  if (!/^--[a-z]/i.test(word)) return undefined
  const beginning = word.replaceAll('_', '-')
  const fitting = own.filter(name => longFlag(name).startsWith(beginning))
  const [only, ...others] = fitting.length > 1 ? fitting.filter(name => originals.includes(name)) : fitting
  return others.length === 0 ? only : undefined
}
