import type { Readable } from 'node:stream'

/** The outside world as a parameter: commands touch nothing else of the process. */
export interface Io {
  /** The words after the program's name. */
  readonly argv: readonly string[]
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Ctrl-C and polite requests to end; the returned function stops listening. */
  onSignal(callback: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void): () => void
  /** Called synchronously when the process ends by itself, in whatever way. */
  onExit(callback: () => void): () => void
  /** From here on the process handles any number of runs: its memory should not grow with them. */
  keepMemory?(): void
  /** Connections that can no longer be closed must not keep the process alive. */
  endSoon?(): void
}

export interface Output {
  write(text: string): void
  /** Writes terminal escapes too: for what assay itself draws. Otherwise `write` removes them. */
  draw?(text: string): void
  readonly isTTY: boolean
  /** Width in characters; changes when a window is resized. */
  readonly columns: number
  readonly colour: boolean
  /**
   * False once the reader is gone (`assay plan | head`): a long output may then stop.
   */
  readonly isOpen: boolean
}

export const writeLines = (output: Output, lines: readonly string[]): void => {
  if (lines.length > 0) output.write(`${lines.join('\n')}\n`)
}

/** Draws on a terminal: text that comes from a program must be cleaned before. */
export const drawOn = (output: Output, text: string): void =>
  output.draw === undefined ? output.write(text) : output.draw(text)

export const writeJson = (output: Output, value: unknown): void => output.write(`${JSON.stringify(value, null, 2)}\n`)

/** NO_COLOR and FORCE_COLOR as https://no-color.org and Node understand them; otherwise colour on a terminal. */
export function wantsColour(env: Io['env'], isTTY: boolean): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return isTTY && env.TERM !== 'dumb'
}

/** How wide a table may be: unlimited in a pipe or a file. */
export const tableWidth = ({ isTTY, columns }: Output): number => (isTTY ? columns : Number.POSITIVE_INFINITY)
