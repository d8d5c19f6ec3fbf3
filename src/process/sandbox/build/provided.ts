import type { Step } from '../recipe.ts'

/** Whether the host already provides what a RUN step would install: all of its commands match one of the patterns. */
export function isProvided(step: Step, provided: readonly string[]): boolean {
  if (step.kind !== 'run' || provided.length === 0) return false
  const command = plain(step.text.replace(/^RUN\s+/, ''))
  const matches = (text: string): boolean => provided.some(glob => pattern(glob).test(text))
  return matches(command) || command.split(/\s*(?:&&|;)\s*/).every(part => part === '' || matches(part))
}

const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** `*` is any text here, slashes and spaces included. */
function pattern(glob: string): RegExp {
  const escaped = plain(glob).replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's')
}
