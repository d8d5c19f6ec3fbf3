import { bashCompletion } from './bash.ts'
import { fishCompletion } from './fish.ts'
import { completionWords } from './words.ts'
import { zshCompletion } from './zsh.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** A script that completes commands, options and values known beforehand; file names for everything else. */
export function completionScript(shell: Shell): string {
  const words = completionWords()
  switch (shell) {
    case 'bash':
      return bashCompletion(words)
    case 'zsh':
      return zshCompletion(words)
    case 'fish':
      return fishCompletion(words)
  }
}
