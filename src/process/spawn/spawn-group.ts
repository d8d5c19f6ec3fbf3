import { closeSync, mkdirSync, openSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { hasLeftovers } from '../end.ts'
import { becomeSubreaper, leaderBegins, leaderEnds } from '../strays.ts'
import { loadLibc } from './libc.ts'
import { nodeStarter } from './node-starter.ts'
import { posixStarter } from './posix-starter.ts'
import { type Environment, type Exit, notStarted, type Program, type Starter } from './starter.ts'

// Types for starting programs.
export { type Environment, type Exit, findProgram } from './starter.ts'

export interface SpawnOptions {
  /** The program and its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** All of it: nothing else is inherited. */
  readonly env: Environment
  /** Made first, in this order; none of them may be there yet. */
  readonly directories?: readonly string[]
  readonly stdoutFile: string
  readonly stderrFile: string
}

export interface Spawned {
  /** The process; null: it could not be started. */
  readonly pid: number | null
  /** How it ended, and whether its group still had processes then. */
  readonly exit: Promise<Exit & { readonly hasLeftovers: boolean }>
  /** It can't be ended: from now on it keeps nothing waiting. */
  giveUp(): void
}

/**
 * Starts a program as the leader of its own session and process group, so that it can be ended with all its children.
 * Its output goes straight to the files: nothing passes through this process, and nothing is lost if this process dies.
 * Throws when its directories or output files could not be made.
 */
export function spawnGroup(options: SpawnOptions, start: Starter = bestStarter()): Spawned {
  for (const directory of options.directories ?? []) mkdirSync(directory)
  const stdout = openSync(options.stdoutFile, 'w')
  try {
    const stderr = openSync(options.stderrFile, 'w')
    try {
      const { argv, cwd, env } = options
      const program = { argv, cwd, env, stdout, stderr }
      const { pid, exit, giveUp } = hasNul(program) ? notStarted(program, 'EINVAL') : start(program)
      if (pid !== null) leaderBegins(pid)
      return { pid, exit: exit.then(end => afterExit(pid, end)), giveUp: () => release(pid, giveUp) }
    } finally {
      closeSync(stderr)
    }
  } finally {
    closeSync(stdout)
  }
}

function release(pid: number | null, giveUp: () => void): void {
  if (pid !== null) leaderEnds(pid)
  giveUp()
}

function afterExit(pid: number | null, exit: Exit): Awaited<Spawned['exit']> {
  if (pid === null) return { ...exit, hasLeftovers: false }
  leaderEnds(pid)
  return { ...exit, hasLeftovers: hasLeftovers(pid) }
}

/** C would ignore everything after it. */
function hasNul({ argv, cwd, env }: Program): boolean {
  for (const name in env) if (name.includes('\0') || env[name]?.includes('\0')) return true
  return cwd.includes('\0') || argv.some(argument => argument.includes('\0'))
}

/** Whether programs are started by the C library, several times as fast as Node starts them. */
export const usesPosixSpawn = (): boolean => loadLibc() !== undefined

/** From now on orphans of programs started by Node itself come to this process too, and can be ended here. */
export const adoptOrphans = (): void => void bestStarter()

let chosen: Starter | undefined

function bestStarter(): Starter {
  // Only the main thread gets signals, and thus the end of its own children.
  const libc = chosen === undefined && isMainThread ? loadLibc() : undefined
  if (libc !== undefined) becomeSubreaper(libc)
  chosen ??= libc === undefined ? nodeStarter : posixStarter(libc)
  return chosen
}
