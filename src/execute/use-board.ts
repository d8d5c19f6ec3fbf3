import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { startTimeOf } from '../process/processes.ts'

/** The resources that a process's runs use. */
export interface Use {
  readonly cpus: number
  readonly memory_mb: number
  /** The names of their GPUs. */
  readonly gpus: readonly string[]
}

const use = z.lazy(
  () => z.object({ cpus: z.number(), memory_mb: z.number(), gpus: z.array(z.string()) }) satisfies z.ZodType<Use>,
)

export const nothingUsed: Use = { cpus: 0, memory_mb: 0, gpus: [] }

/** Where one user's processes on a machine publish what their runs use, and read what others use. */
export interface UseBoard {
  /** Replaces the previous entry. */
  say(used: Use): void
  others(): readonly Use[]
}

/** For a process that is alone. */
export const noBoard: UseBoard = { say() {}, others: () => [] }

let boards = 0

/**
 * A file for each process and board, in a temporary folder: named by process id and start time, so that files of killed
 * processes are ignored. An unwritable folder counts as none.
 */
export function openBoard(folder = join(tmpdir(), `assay-machine-${userInfo().username}`)): UseBoard {
  const own = `${process.pid}-${startTimeOf(process.pid) ?? 0}-${boards++}`
  return {
    say(used) {
      const file = join(folder, own)
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        if (used.cpus === 0 && used.memory_mb === 0 && used.gpus.length === 0) return rmSync(file, { force: true })
        writeFileSync(`${file}.new`, JSON.stringify(used))
        renameSync(`${file}.new`, file)
      } catch {
        // Other processes don't see it.
      }
    },
    others() {
      return namesIn(folder)
        .filter(name => name !== own && !name.endsWith('.new'))
        .flatMap(name => {
          const found = readUse(join(folder, name))
          if (isOfLiving(name)) return found === null ? [] : [found]
          rmSync(join(folder, name), { force: true })
          return []
        })
    },
  }
}

function isOfLiving(name: string): boolean {
  const [pid, startTime] = name.split('-')
  return startTimeOf(Number(pid)) === startTime
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readUse(file: string): Use | null {
  try {
    const parsed = use.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
