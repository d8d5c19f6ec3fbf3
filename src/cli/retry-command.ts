import { shellQuote } from '../targets/command/shell-quote.ts'
import { readTokens } from './command-line/read-tokens.ts'
import { longFlag, type OptionName } from './options.ts'

/** These would make the line do more, or less, than run again what failed. */
const leftOut: readonly (OptionName | null)[] = ['retryFailed', 'fresh', 'again', 'rerun', 'resume', 'dryRun']

/** The same command line, to be pasted, that also runs what failed. */
export function retryCommand(argv: readonly string[]): string {
  const kept = readTokens(argv).filter(token => !leftOut.includes(token.option))
  const words = ['assay', ...kept.flatMap(token => token.words), longFlag('retryFailed')]
  return words.map(shellQuote).join(' ')
}
