/** How an agent's work ended, in the words that SWE-agent uses. */
export const exitStatuses = [
  'submitted',
  'exit_cost',
  'exit_context',
  'exit_timeout',
  'exit_total_execution_time',
  'exit_command_timeout',
  'exit_format',
  'exit_api',
  'exit_environment_error',
  'exit_forfeit',
  'exit_command',
] as const

export type ExitStatus = (typeof exitStatuses)[number]

/** Why the loop stopped, with one sentence of explanation. */
export interface Exit {
  readonly status: ExitStatus
  readonly message: string
}

/** An interrupted agent that left changes has submitted them. */
export const statusWithDiff = (status: ExitStatus, diff: string): string =>
  status === 'submitted' || diff.trim() === '' ? status : `submitted (${status})`
