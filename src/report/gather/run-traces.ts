import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../util/json.ts'
import { readRegular } from '../../util/open-regular.ts'
import type { TraceTurn } from '../dataset/dataset.ts'
import type { FilesOfRuns } from './run-files.ts'
import { turnsOf } from './trace-turns.ts'

/** Characters of traces in the whole file, and of one; longer ones are for the run's folder. */
const mostOfAll = 600_000
const mostOfOne = 120_000

const traceFile = 'trace.jsonl'

/** Beyond this a trace is not even read. */
const mostBytes = 64 * 1024 * 1024

export interface TracesOfRuns {
  readonly turns: readonly (readonly TraceTurn[])[]
  /** How many runs have a trace at all. */
  readonly traced: number
}

/** The model calls that runs recorded in `trace.jsonl`. */
export function tracesOf(folders: readonly (string | null)[], files: FilesOfRuns['lists']): TracesOfRuns {
  let room = mostOfAll
  let traced = 0
  const turns = folders.map((folder, at) => {
    const file = folder === null ? null : join(folder, traceFile)
    const listed = files[at]
    if (file === null || !(listed?.some(({ path }) => path === traceFile) ?? existsSync(file))) return []
    traced++
    if (room <= 0 || statSync(file).size > mostBytes) return []
    const kept = fitting(turnsOf(linesOf(readRegular(file) ?? '')))
    room -= JSON.stringify(kept).length
    return kept
  })
  return { turns, traced }
}

/** The last line of a run that was cut off may be half of one. */
function linesOf(text: string): readonly Json[] {
  return text.split('\n').flatMap(line => {
    try {
      return line.trim() === '' ? [] : [JSON.parse(line) as Json]
    } catch {
      return []
    }
  })
}

function fitting(turns: readonly TraceTurn[]): readonly TraceTurn[] {
  let room = mostOfOne
  return turns.filter(turn => {
    room -= JSON.stringify(turn).length
    return room >= 0
  })
}
