import type { Outcome, StopReason } from '../../define/outcome.ts'
import type { Exit } from '../../process/spawn/spawn-group.ts'
import type { CommandSpec } from './spec.ts'

/** The meaning of a process's end. */
export function outcomeOfExit(exit: Exit, stopped: StopReason | null, exitCodes: CommandSpec['exit_codes']): Outcome {
  if (stopped !== null) return { ...stopped, ...facts(exit) }
  switch (exit.kind) {
    case 'exited':
      return outcomeOfCode(exit.code, exitCodes)
    case 'signalled':
      return {
        kind: 'failed',
        ...facts(exit),
        error_class: `signal_${exit.signal}`,
        message: `the program was ended by ${exit.signal}`,
      }
    case 'lost':
      return {
        kind: 'infra_error',
        ...facts(exit),
        error_class: 'end_unknown',
        message: 'another part of this process collected the exit status, so it is unknown here',
      }
    case 'not_started':
      return {
        kind: machineFaults.has(exit.code) ? 'infra_error' : 'failed',
        ...facts(exit),
        error_class: `spawn_${exit.code}`,
        message: `the program could not be started: ${exit.message}`,
      }
  }
}

// EX_TEMPFAIL of sysexits.h: the program itself says that a retry may help.
const temporaryFailure = 75

function outcomeOfCode(code: number, exitCodes: CommandSpec['exit_codes']): Outcome {
  const kind = exitCodes?.[code] ?? (code === 0 ? 'completed' : code === temporaryFailure ? 'infra_error' : 'failed')
  const outcome = { kind, exit_code: code, signal: null }
  if (kind === 'completed') return outcome
  return { ...outcome, error_class: `exit_${code}`, message: `the program ended with exit code ${code}` }
}

/** Not the program's fault: the machine was short of something. */
const machineFaults = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS'])

function facts(exit: Exit): { readonly exit_code: number | null; readonly signal: string | null } {
  switch (exit.kind) {
    case 'exited':
      return { exit_code: exit.code, signal: null }
    case 'signalled':
      return { exit_code: null, signal: exit.signal }
    case 'lost':
      return { exit_code: null, signal: null }
    case 'not_started':
      // Like a shell: found but not executable, or not found.
      return { exit_code: exit.code === 'EACCES' ? 126 : 127, signal: null }
  }
}
