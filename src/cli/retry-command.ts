import { longFlag, shellQuote } from '../util/words.ts'
import { readTokens } from './command-line/read-tokens.ts'
import type { OptionName } from './options.ts'

/** Options that would make the command do more, or less, than rerun what failed. */
const leftOut: readonly (OptionName | null)[] = ['retryFailed', 'fresh', 'again', 'rerun', 'resume', 'dryRun']

/** The same command line, ready to paste, that also reruns failed runs; quarantined ones must be requested. */
export function retryCommand(argv: readonly string[], hasQuarantined = false): string {
  const kept = readTokens(argv).filter(token => !leftOut.includes(token.option))
  const quarantined = hasQuarantined ? [longFlag('rerun'), 'quarantined'] : []
  const words = ['assay', ...kept.flatMap(token => token.words), longFlag('retryFailed'), ...quarantined]
  return words.map(shellQuote).join(' ')
}
