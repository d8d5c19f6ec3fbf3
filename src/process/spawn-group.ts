import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { messageOf, systemCode } from '../util/errors.ts'
import { hasLeftovers } from './has-leftovers.ts'

export interface SpawnOptions {
  /** The program and its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** Besides what this process has; null takes a variable away. */
  readonly env: Readonly<Record<string, string | null>>
  /** Made first, in this order; none of them may be there yet. */
  readonly directories?: readonly string[]
  readonly stdoutFile: string
  readonly stderrFile: string
}

/** How a process ended, or why there never was one. */
export type Exit =
  | ({ readonly kind: 'exited'; readonly code: number } & Leftovers)
  | ({ readonly kind: 'signalled'; readonly signal: NodeJS.Signals } & Leftovers)
  | { readonly kind: 'not_started'; readonly code: string; readonly message: string }
  /** Who started it is gone: it ended, or goes on, and nobody knows how. */
  | { readonly kind: 'lost' }

/** Whether its group still had processes when it ended. */
interface Leftovers {
  readonly hasLeftovers?: true
}

export interface Spawned {
  /** The process; null: it could not be started. Rejects when its directories or output files could not be made. */
  readonly started: Promise<number | null>
  readonly exit: Promise<Exit>
}

/**
 * Starts a program as the leader of its own session and process group, so that it can be ended with all its children.
 * Its output goes straight to the files: nothing passes through this process, and nothing is lost if this process dies.
 */
export function spawnGroup(
  options: SpawnOptions,
  ours: Environment = process.env,
): { readonly pid: number | null; readonly exit: Promise<Exit> } {
  const [program = '', ...args] = options.argv
  for (const directory of options.directories ?? []) mkdirSync(directory)
  const stdout = openSync(options.stdoutFile, 'w')
  let stderr: number | undefined
  try {
    stderr = openSync(options.stderrFile, 'w')
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...ours, ...undefinedForNull(options.env) },
      stdio: ['ignore', stdout, stderr],
      detached: true,
    })
    const exit = new Promise<Exit>(resolve => {
      child.once('error', error => resolve(notStarted(error)))
      child.once('exit', (code, signal) => resolve({ ...exitOf(code, signal), ...leftoversOf(child.pid) }))
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

/** Reading the real environment takes longer than reading a copy: whoever starts many programs brings one. */
export type Environment = Readonly<Record<string, string | undefined>>

const undefinedForNull = (own: SpawnOptions['env']): Environment =>
  Object.fromEntries(Object.entries(own).map(([name, value]) => [name, value ?? undefined]))

const leftoversOf = (pid: number | undefined): Leftovers =>
  pid !== undefined && hasLeftovers(pid) ? { hasLeftovers: true } : {}

const notStarted = (error: unknown): Exit => ({
  kind: 'not_started',
  code: systemCode(error) ?? 'UNKNOWN',
  message: messageOf(error),
})

const exitOf = (code: number | null, signal: NodeJS.Signals | null) =>
  signal === null ? ({ kind: 'exited', code: code ?? 0 } as const) : ({ kind: 'signalled', signal } as const)
