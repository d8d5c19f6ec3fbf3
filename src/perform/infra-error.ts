import type { Outcome } from '../define/outcome.ts'
import { LimitReached } from '../define/permits.ts'
import { messageOf, systemCode } from '../util/errors.ts'

/** Not the run's fault: the disk or the machine. Trying again may help, and no score may come of it. */
const troubles: { readonly [code: string]: string } = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reports an input/output error',
  EROFS: 'the file system is read-only',
  ENOMEM: 'the machine is out of memory',
  EMFILE: 'too many files are open in this process',
  ENFILE: 'too many files are open on this machine',
  EAGAIN: 'the machine is short of a resource, such as processes',
  ENOTCONN: 'the file system is not connected',
  ESTALE: 'the network file system has lost the file',
}

/** An error around a run, rather than of the run, as an outcome: performing a job never throws. */
export function infraErrorOf(error: unknown, doing: string): Outcome {
  if (error instanceof LimitReached) return outcomeOfLimit(error)
  const code = systemCode(error)
  const known = code === undefined ? undefined : troubles[code]
  return {
    kind: 'infra_error',
    error_class: code ?? (error instanceof Error ? error.name : 'Error'),
    message: `${doing} failed: ${known === undefined ? messageOf(error) : `${known} (${messageOf(error)})`}`,
  }
}

/** A run that a limit cut is kept, and is no result. */
function outcomeOfLimit({ limit, at, message }: LimitReached): Outcome {
  if (limit === 'rate') return { kind: 'rate_limited', message }
  return { kind: 'cost_limited', message, limit, limit_at: at }
}
