import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as z from 'zod'
import { AssayError } from '../../util/errors.ts'

/** Next to a journal on a network file system: the file that names the process working on it. */
export const holderFile = (journal: string): string => `${journal}.holder`

const holder = z.lazy(() =>
  z.object({
    host: z.string(),
    boot_id: z.string(),
    pid: z.number(),
    start_time: z.string().nullable(),
    /** Counts up while the process lives. */
    beat: z.number(),
  }),
)

export type Holder = z.infer<typeof holder>

/** null: it has no owner, or the file can't be read at this moment. */
export function readHolder(journal: string): Holder | null {
  try {
    return holder.parse(JSON.parse(readFileSync(holderFile(journal), 'utf8')))
  } catch {
    return null
  }
}

export const isElsewhere = ({ host }: Holder): boolean => host !== hostname()

/**
 * Between machines, SQLite's log in shared memory and its locks mean nothing: not even reading is safe while another
 * machine has the journal open.
 */
export function refuseElsewhere(journal: string): void {
  if (!existsSync(holderFile(journal))) return
  const other = readHolder(journal)
  if (other !== null && isElsewhere(other)) throw heldBy(other, journal)
}

export function heldBy({ host, pid }: Holder, journal: string): AssayError {
  return new AssayError(
    'busy',
    `process ${pid} on ${host} has the journal ${journal} open, on a network file system: a second process could damage it`,
    {
      hint: `Work on ${host}, or wait for it; summary.json shows the progress. Should ${host} be gone for good, \`assay run\` finds out and takes over.`,
      facts: { host, pid },
    },
  )
}
