/** A program that is to be started, with everything it needs at hand. */
export interface Program {
  /** The program and its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** All of it: nothing else is inherited. */
  readonly env: Environment
  /** Open files that its output goes to. */
  readonly stdout: number
  readonly stderr: number
}

/** The variables of a process; what is undefined is not there. */
export type Environment = Readonly<Record<string, string | undefined>>

/** How a process ended, or why there never was one. */
export type Exit =
  | ({ readonly kind: 'exited'; readonly code: number } & Used)
  | ({ readonly kind: 'signalled'; readonly signal: string } & Used)
  | { readonly kind: 'not_started'; readonly code: string; readonly message: string }
  /** Somebody else was told of its end, so nobody here will ever know. */
  | { readonly kind: 'lost' }

interface Used {
  /** CPU time as the kernel counts it, of the process and of all children that it waited for; null: nobody asked. */
  readonly cpu_s: number | null
}

export interface Started {
  /** The process; null: it could not be started. */
  readonly pid: number | null
  readonly exit: Promise<Exit>
}

/** Starts a program as the leader of its own session and process group, with all signals as a shell would have them. */
export type Starter = (program: Program) => Started
