import { longFlag, shellQuote } from '../util/words.ts'
import { readTokens } from './command-line/read-tokens.ts'
import type { OptionName } from './options.ts'

/** These would make the line do more, or less, than run again what failed. */
const leftOut: readonly (OptionName | null)[] = ['retryFailed', 'fresh', 'again', 'rerun', 'resume', 'dryRun']

/** The same command line, to be pasted, that also runs what failed; what is quarantined has to be asked for. */
export function retryCommand(argv: readonly string[], hasQuarantined = false): string {
  const kept = readTokens(argv).filter(token => !leftOut.includes(token.option))
  const quarantined = hasQuarantined ? [longFlag('rerun'), 'quarantined'] : []
  const words = ['assay', ...kept.flatMap(token => token.words), longFlag('retryFailed'), ...quarantined]
  return words.map(shellQuote).join(' ')
}
