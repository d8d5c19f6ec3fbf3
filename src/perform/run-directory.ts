import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '../define/run.ts'
import type { RunPlace } from '../define/target.ts'
import { keptAttemptFolder, runFolder } from '../record/places.ts'
import { AssayError, systemCode } from '../util/errors.ts'
import { readRegular } from '../util/files.ts'

/** A run's directory, made when it is first needed and never mixed with the files of an earlier attempt. */
export class RunDirectory {
  readonly place: RunPlace
  #isMade = false

  readonly #job: Job

  constructor(experimentDir: string, job: Job) {
    this.#job = job
    const run_dir = runFolder(experimentDir, job.run.name)
    this.place = { run_dir, out_dir: join(run_dir, 'out') }
  }

  get isMade(): boolean {
    return this.#isMade
  }

  make(): RunPlace {
    if (this.#isMade) return this.place
    // Making parents as well costs several system calls more, and they are missing only once.
    try {
      mkdirSync(this.place.run_dir)
    } catch (error) {
      if (systemCode(error) === 'ENOENT') mkdirSync(this.place.run_dir, { recursive: true })
      else if (systemCode(error) === 'EEXIST') this.keepEarlierAttempt()
      else throw error
    }
    mkdirSync(this.place.out_dir)
    this.#isMade = true
    return this.place
  }

  /** The target made it, on its way. */
  isMadeElsewhere(): void {
    this.#isMade = true
  }

  /** All attempts are kept: the files of an earlier one move to `attempts/<n>/`. */
  keepEarlierAttempt(): void {
    const { run_dir } = this.place
    if (!existsSync(run_dir)) return
    refuseLink(run_dir)
    refuseLink(join(run_dir, 'attempts'))
    const entries = readdirSync(run_dir).filter(name => name !== 'attempts')
    if (entries.length === 0) return
    const kept = freeFolder(keptAttemptFolder(run_dir, attemptIn(run_dir) ?? this.#lastAttempt()))
    mkdirSync(kept, { recursive: true })
    for (const name of entries) renameSync(join(run_dir, name), join(kept, name))
  }

  /** The folder of an earlier attempt's files; null: it left none. */
  keptAttempt(attempt: number): string | null {
    const dir = keptAttemptFolder(this.place.run_dir, attempt)
    return existsSync(dir) ? dir : null
  }

  /**
   * The owner of files that don't name it: the attempt that this one continues, unless its files are already kept
   * elsewhere.
   */
  #lastAttempt(): number {
    const { attempt, continues } = this.#job
    const isMissing = continues !== null && this.keptAttempt(continues.attempt) === null
    return isMissing ? continues.attempt : Math.max(1, attempt - 1)
  }
}

/** If a program has replaced its folder by a link, nothing is written or moved: the files may be another user's. */
export function refuseLink(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink())
    throw new AssayError('cannot_write', `the folder of the run was replaced by a link: ${folder}`, {
      hint: 'Delete the link.',
    })
}

/** Which attempt the files belong to; null if it was interrupted before it could record that. */
function attemptIn(runDir: string): number | null {
  try {
    const meta: unknown = JSON.parse(readRegular(join(runDir, 'meta.json')) ?? '')
    const isNumbered = typeof meta === 'object' && meta !== null && 'attempt' in meta
    return isNumbered && Number.isInteger(meta.attempt) ? Number(meta.attempt) : null
  } catch {
    return null
  }
}

function freeFolder(wanted: string): string {
  let folder = wanted
  for (let copy = 2; existsSync(folder); copy++) folder = `${wanted}.${copy}`
  return folder
}
