import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { messageOf, systemCode } from '../util/errors.ts'

export interface SpawnOptions {
  /** The program and its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdoutFile: string
  readonly stderrFile: string
}

/** How a process ended, or why there never was one. */
export type Exit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not_started'; readonly code: string; readonly message: string }

export interface Spawned {
  /** null: it could not be started. */
  readonly pid: number | null
  readonly exit: Promise<Exit>
}

/**
 * Starts a program as the leader of its own session and process group, so that it can be ended with all its children.
 * Its output goes straight to the files: nothing passes through this process, and nothing is lost if this process dies.
 */
export function spawnGroup(options: SpawnOptions): Spawned {
  const [program = '', ...args] = options.argv
  const stdout = openSync(options.stdoutFile, 'w')
  let stderr: number | undefined
  try {
    stderr = openSync(options.stderrFile, 'w')
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', stdout, stderr],
      detached: true,
    })
    const exit = new Promise<Exit>(resolve => {
      child.once('error', error => resolve(notStarted(error)))
      child.once('exit', (code, signal) => resolve(exitOf(code, signal)))
    })
    return { pid: child.pid ?? null, exit }
  } catch (error) {
    // Some reasons are thrown rather than emitted: E2BIG, ENOMEM, an argument with a NUL in it.
    if (stderr === undefined) throw error
    return { pid: null, exit: Promise.resolve(notStarted(error)) }
  } finally {
    closeSync(stdout)
    if (stderr !== undefined) closeSync(stderr)
  }
}

const notStarted = (error: unknown): Exit => ({
  kind: 'not_started',
  code: systemCode(error) ?? 'UNKNOWN',
  message: messageOf(error),
})

const exitOf = (code: number | null, signal: NodeJS.Signals | null): Exit =>
  signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal }
