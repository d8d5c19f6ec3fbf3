/** Why an agent's work ended, in the order in which a status is tested for them. */
export const exitCategories = [
  'submitted',
  'exit_cost',
  'exit_context',
  'exit_timeout',
  'exit_format',
  'exit_forfeit',
  'exit_api',
  'exit_environment',
  'exit_command',
  'exit_error',
  'other',
  'unknown',
] as const
export type ExitCategory = (typeof exitCategories)[number]

/** The first word that a status has in it decides: `exit_command_timeout` is a timeout. */
const words: readonly (readonly [string, ExitCategory])[] = [
  ['cost', 'exit_cost'],
  ['context', 'exit_context'],
  ['timeout', 'exit_timeout'],
  ['execution_time', 'exit_timeout'],
  ['format', 'exit_format'],
  ['forfeit', 'exit_forfeit'],
  ['api', 'exit_api'],
  ['environment', 'exit_environment'],
  ['command', 'exit_command'],
  ['error', 'exit_error'],
]

/** Of `submitted (exit_cost)` it is the reason in parentheses: the patch was handed in because the money was gone. */
export function exitCategory(status: string | null): ExitCategory {
  const text = (status ?? '').trim().toLowerCase()
  if (text === '') return 'unknown'
  if (text.startsWith('submitted')) {
    const [, reason] = /\((.*)\)/s.exec(text) ?? []
    return reason === undefined ? 'submitted' : exitCategory(reason)
  }
  return words.find(([word]) => text.includes(word))?.[1] ?? 'other'
}

/** Whether a patch was handed in, for whatever reason. */
export const isSubmitted = (status: string | null): boolean =>
  (status ?? '').trim().toLowerCase().startsWith('submitted')
