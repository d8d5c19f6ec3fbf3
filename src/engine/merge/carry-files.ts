import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { foundResult } from '../../perform/read-result.ts'
import type { Move } from '../../record/merge/merge-journal.ts'
import { keptAttemptFolder, runFolder, runPlace } from '../../record/places.ts'

/**
 * Copies the files of attempts from one experiment's directory to another. Every step is complete, or the next call
 * finishes it: existing files are not copied again. Returns what could not be copied.
 */
export function carryFiles(moves: readonly Move[], from: string, into: string): readonly string[] {
  const left: string[] = []
  for (const [run, ofRun] of Map.groupBy(moves, move => move.run)) {
    const [source, goal] = [runFolder(from, run), runFolder(into, run)]
    if (!existsSync(source)) continue
    if (ofRun.every(move => move.from === move.to && move.makesRoom === null)) carryWhole(source, goal, run, left)
    else for (const move of ofRun) carryOne(move, source, goal, left)
  }
  return left
}

/** A run that the other directory does not have: its complete folder. */
function carryWhole(source: string, goal: string, run: string, left: string[]): void {
  const tokenIn = (folder: string) => foundResult(folder, runPlace(run))?.result.token
  if (existsSync(goal) && tokenIn(goal) === tokenIn(source)) return
  rmSync(goal, { recursive: true, force: true })
  copyFolder(source, goal, left)
}

function carryOne({ from, to, makesRoom }: Move, source: string, goal: string, left: string[]): void {
  const origin = from === null ? source : keptAttemptFolder(source, from)
  if (!existsSync(origin)) return
  if (to !== null) {
    if (!existsSync(keptAttemptFolder(goal, to)))
      copyFolder(origin, keptAttemptFolder(goal, to), left, attemptsOf(origin))
    return
  }
  const arriving = join(goal, '.merging')
  if (!existsSync(arriving)) {
    if (makesRoom !== null) makeRoom(goal, keptAttemptFolder(goal, makesRoom))
    copyFolder(origin, arriving, left, attemptsOf(origin))
  }
  for (const name of readdirSync(arriving)) renameSync(join(arriving, name), join(goal, name))
  rmdirSync(arriving)
}

/** The files of the attempt that counted so far are kept next to the folder. */
function makeRoom(goal: string, kept: string): void {
  if (!existsSync(goal)) return
  mkdirSync(kept, { recursive: true })
  for (const name of readdirSync(goal).filter(name => name !== 'attempts'))
    renameSync(join(goal, name), join(kept, name))
}

const attemptsOf = (run: string): string => dirname(keptAttemptFolder(run, 1))

/** Copies under a temporary name first, so that an existing folder is complete. What can't be copied is added to `left`. */
function copyFolder(source: string, goal: string, left: string[], except?: string): void {
  const draft = `${goal}.part`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(dirname(goal), { recursive: true })
  const filter = (from: string, to: string): boolean => {
    if (from === except) return false
    const canCopy = isCopyable(from, to)
    if (!canCopy) left.push(from)
    return canCopy
  }
  cpSync(source, draft, { recursive: true, verbatimSymlinks: true, filter })
  renameSync(draft, goal)
}

/** A program may leave anything in its folder: pipes and sockets, unreadable files, paths too long for the system. */
function isCopyable(from: string, to: string): boolean {
  if (Buffer.byteLength(to) > longestPath) return false
  try {
    const found = lstatSync(from)
    if (found.isSymbolicLink()) return true
    accessSync(from, constants.R_OK)
    return found.isFile() || found.isDirectory()
  } catch {
    return false
  }
}

/** In bytes, as the system counts it. */
const longestPath = process.platform === 'linux' ? 4095 : 1023
