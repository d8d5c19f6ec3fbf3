import type { Need, Task } from '../../targets/task/task.ts'
import { plainOutput } from '../../util/words.ts'

/** The few words that fit a table: images by name, packages by the program that installs them. */
export function needsText({ needs }: Task): string {
  return [...new Set(needs.map(shortNeed))].join(', ')
}

function shortNeed({ kind, what }: Need): string {
  switch (kind) {
    case 'package':
      return /\bpip3?\b/.test(what) ? 'pip' : firstWord(what)
    case 'download':
      return firstWord(what)
    case 'variable':
      return `$${what}`
    case 'repository':
      return 'repository'
    case 'judge':
      return 'judge'
    default:
      return what
  }
}

const firstWord = (text: string): string => text.split(' ', 1)[0] ?? text

/** Every need with its line, what is unsupported, and notes. */
export function detailLines({ id, needs, unsupported, notes }: Task): readonly string[] {
  const lines = [
    ...needs.map(({ what, where }) => `    needs ${what}${where === null ? '' : `  (${where})`}`),
    ...unsupported.map(part => `    unsupported: ${part}`),
    ...notes.map(note => `    note: ${note}`),
  ]
  return lines.length === 0 ? [] : ['', id, ...lines].map(line => plainOutput(line))
}
