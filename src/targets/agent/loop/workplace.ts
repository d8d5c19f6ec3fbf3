import type { Exec } from '../../../process/sandbox/box.ts'

/** Where an agent's commands run. */
export interface Workplace {
  run(command: string, options: CommandOptions): Promise<CommandResult>
  /** The changes so far, as a patch. */
  diff(): Promise<string>
}

export interface CommandOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface CommandResult extends Pick<Exec, 'how' | 'exitCode' | 'signal' | 'reached' | 'leftovers'> {
  /** Its output, suitable for a model: only text, and not too much. */
  readonly output: string
  readonly wall_ms: number
}
