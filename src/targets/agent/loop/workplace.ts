import type { Exec } from '../../../process/sandbox/box.ts'

/** Where an agent's commands run. */
export interface Workplace {
  run(command: string, options: CommandOptions): Promise<CommandResult>
  /** What was changed so far, as a patch. */
  diff(): Promise<string>
}

export interface CommandOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface CommandResult extends Pick<Exec, 'how' | 'exitCode' | 'signal' | 'reached' | 'leftovers'> {
  /** What it printed, fit for a model: text only, and not too much of it. */
  readonly output: string
  readonly wall_ms: number
}
