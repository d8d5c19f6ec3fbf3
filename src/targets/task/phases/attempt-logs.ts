import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { RunBoxes } from './box-of-run.ts'

/**
 * Files that a box writes there are visible outside, and in the next box: an attempt must not see those of the previous
 * one.
 */
const names = ['agent', 'artifacts'] as const

/** Before an attempt begins: puts the files of the previous one aside. */
export function stashLogs({ dir }: RunBoxes, attempt: number): void {
  mkdirSync(asideOf(dir, attempt), { recursive: true })
  for (const name of names) move(join(dir, 'logs', name), join(asideOf(dir, attempt), name))
}

/** The files of the attempt that counts take the usual place. */
export function restoreLogs({ dir }: RunBoxes, attempt: number): void {
  for (const name of names) move(join(asideOf(dir, attempt), name), join(dir, 'logs', name))
}

const asideOf = (dir: string, attempt: number): string => join(dir, 'logs', `attempt-${attempt + 1}`)

function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}
