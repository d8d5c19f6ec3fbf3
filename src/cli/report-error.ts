import { AssayError, messageOf, systemCode } from '../util/errors.ts'
import type { Io } from './io.ts'
import { styler } from './views/style.ts'

/** Reports what went wrong, for a person or as JSON, and returns the exit code. */
export function reportError(error: unknown, io: Io): number {
  const known = error instanceof AssayError ? error : (ofMachine(error) ?? unexpected(error))
  if (io.argv.includes('--json')) {
    const { code, message, hint, facts } = known
    // On one line: it may follow events, each of which is one line.
    io.stdout.write(`${JSON.stringify({ kind: 'error', code, message, hint: hint ?? null, facts })}\n`)
  } else {
    const style = styler(io.stderr)
    io.stderr.write(`${style.red('error:')} ${known.message}\n`)
    if (known.hint !== undefined) io.stderr.write(`${known.hint}\n`)
  }
  if (known.code === 'internal' && isVerbose(io.argv)) io.stderr.write(`${stackOf(error)}\n`)
  return known.exitCode
}

/** Any write may hit a full disk or the limit of open files: that is not a bug, and the message must say so. */
function ofMachine(error: unknown): AssayError | null {
  const code = systemCode(error) ?? ''
  if (['EMFILE', 'ENFILE'].includes(code))
    return new AssayError('cannot_write', `too many files are open: ${messageOf(error)}`, {
      hint: 'Run fewer jobs at once, or allow more open files: ulimit -n 4096. Finished runs are kept.',
      cause: error,
    })
  if (!['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes(code)) return null
  return new AssayError('cannot_write', `can't write: ${messageOf(error)}`, {
    hint: 'Free some space and run the same command again. Finished runs are kept.',
    cause: error,
  })
}

function unexpected(error: unknown): AssayError {
  return new AssayError('internal', `this should not have happened: ${messageOf(error)}`, {
    hint: 'This is a bug in assay. The same command with -v shows where it happened.',
    cause: error,
  })
}

const isVerbose = (argv: readonly string[]): boolean => argv.some(word => word === '--verbose' || /^-v+$/.test(word))

function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause === undefined ? '' : `\ncaused by ${stackOf(error.cause)}`
  return `${error.stack ?? error.message}${cause}`
}
