import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { RunBoxes } from './box-of-run.ts'

/** What a box writes there is seen outside, and by the next box: an attempt must not see what the one before it wrote. */
const names = ['agent', 'artifacts'] as const

/** Before an attempt begins: what the one before it wrote is put aside. */
export function putLogsAside({ dir }: RunBoxes, attempt: number): void {
  mkdirSync(asideOf(dir, attempt), { recursive: true })
  for (const name of names) move(join(dir, 'logs', name), join(asideOf(dir, attempt), name))
}

/** What the attempt that counts wrote takes the usual place. */
export function bringLogsBack({ dir }: RunBoxes, attempt: number): void {
  for (const name of names) move(join(asideOf(dir, attempt), name), join(dir, 'logs', name))
}

const asideOf = (dir: string, attempt: number): string => join(dir, 'logs', `attempt-${attempt + 1}`)

function move(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}
