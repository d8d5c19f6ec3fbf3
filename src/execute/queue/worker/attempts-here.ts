import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endOrphans } from '../../../process/end.ts'

/** Milliseconds between asking orphaned processes to end and ending them by force. */
const graceMs = 2_000

/**
 * The attempts that workers on this machine are performing, one empty file for each: the next worker here ends
 * processes that a killed worker left running.
 */
export class AttemptsHere {
  readonly #root: string
  readonly #own: string

  constructor(scratch: string, workerId: string) {
    this.#root = join(scratch, 'workers')
    this.#own = join(this.#root, `${process.pid}-${workerId}`)
    mkdirSync(this.#own, { recursive: true })
  }

  add(token: string): void {
    writeFileSync(join(this.#own, token), '')
  }

  remove(token: string): void {
    rmSync(join(this.#own, token), { force: true })
  }

  close(): void {
    rmSync(this.#own, { recursive: true, force: true })
  }

  async endThoseOfTheDead(): Promise<void> {
    for (const name of readdirSync(this.#root)) {
      const folder = join(this.#root, name)
      if (folder === this.#own || isAlive(Number.parseInt(name, 10))) continue
      const tokens = existsSync(folder) ? readdirSync(folder) : []
      await endOrphans(
        tokens.map(token => ({ token, pid: null, startTime: null })),
        graceMs,
      )
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
