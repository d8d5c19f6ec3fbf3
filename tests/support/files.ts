import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Resolves as soon as a file is there. */
export const appeared = (file: string): Promise<void> =>
  expect.poll(() => existsSync(file), { message: file }).toBe(true)

/** Resolves as soon as a file has this many lines. */
export const hasLines = (file: string, count: number): Promise<void> =>
  expect.poll(() => linesOf(file), { message: file }).toHaveLength(count)

export const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

export const jsonOf = <T = Record<string, unknown>>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T
