import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { foundResult } from '../../perform/read-result.ts'
import type { Move } from '../../record/merge/merge-journal.ts'
import { keptAttemptFolder, runFolder, runPlace } from '../../record/places.ts'

/**
 * Copies the files of attempts from one experiment's directory to another. Every step is whole, or is finished by the
 * next call: what is there is not copied again.
 */
export function carryFiles(moves: readonly Move[], from: string, into: string): void {
  for (const [run, ofRun] of Map.groupBy(moves, move => move.run)) {
    const [source, goal] = [runFolder(from, run), runFolder(into, run)]
    if (!existsSync(source)) continue
    if (ofRun.every(move => move.from === move.to && move.makesRoom === null)) carryWhole(source, goal, run)
    else for (const move of ofRun) carryOne(move, source, goal)
  }
}

/** A run that the other directory does not have: all of its folder. */
function carryWhole(source: string, goal: string, run: string): void {
  const tokenIn = (folder: string) => foundResult(folder, runPlace(run))?.result.token
  if (existsSync(goal) && tokenIn(goal) === tokenIn(source)) return
  rmSync(goal, { recursive: true, force: true })
  copyFolder(source, goal)
}

function carryOne({ from, to, makesRoom }: Move, source: string, goal: string): void {
  const origin = from === null ? source : keptAttemptFolder(source, from)
  if (!existsSync(origin)) return
  if (to !== null) {
    if (!existsSync(keptAttemptFolder(goal, to))) copyFolder(origin, keptAttemptFolder(goal, to), attemptsOf(origin))
    return
  }
  const arriving = join(goal, '.merging')
  if (!existsSync(arriving)) {
    if (makesRoom !== null) makeRoom(goal, keptAttemptFolder(goal, makesRoom))
    copyFolder(origin, arriving, attemptsOf(origin))
  }
  for (const name of readdirSync(arriving)) renameSync(join(arriving, name), join(goal, name))
  rmdirSync(arriving)
}

/** The files of the attempt that counted so far are kept beside. */
function makeRoom(goal: string, kept: string): void {
  if (!existsSync(goal)) return
  mkdirSync(kept, { recursive: true })
  for (const name of readdirSync(goal).filter(name => name !== 'attempts'))
    renameSync(join(goal, name), join(kept, name))
}

const attemptsOf = (run: string): string => dirname(keptAttemptFolder(run, 1))

/** Under another name first, so that a folder that is there is whole. */
function copyFolder(source: string, goal: string, except?: string): void {
  const draft = `${goal}.part`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(dirname(goal), { recursive: true })
  cpSync(source, draft, { recursive: true, verbatimSymlinks: true, filter: path => path !== except })
  renameSync(draft, goal)
}
