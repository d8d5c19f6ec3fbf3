import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listProcesses, membersOf } from '../../../src/process/processes.ts'
import type { Box, BoxSpec, Capabilities, Exec, ExecOptions, Root, Sandbox } from '../../../src/process/sandbox/box.ts'
import { removeFolder } from '../../../src/process/sandbox/transfer/remove-folder.ts'

/** One check of a sandbox. Plain assertions, because it also runs in a process of another user, without vitest. */
export interface Check {
  readonly name: string
  /** Where a backend can't do it, there is nothing to check. */
  readonly needs?: (can: Capabilities) => boolean
  readonly run: (world: World) => Promise<void>
}

/** A temporary folder, and boxes that are always closed. */
export class World {
  readonly dir = mkdtempSync(join(tmpdir(), 'assay-box-'))
  readonly token = randomUUID()
  readonly #boxes: Box[] = []
  readonly #opened = new Set<string>()
  readonly sandbox: Sandbox
  readonly root: Root

  constructor(sandbox: Sandbox, root: Root) {
    this.sandbox = sandbox
    this.root = root
  }

  async open(changes: Partial<BoxSpec> = {}): Promise<Box> {
    const spec: BoxSpec = {
      token: this.token,
      root: this.root,
      files: join(this.dir, 'files'),
      mounts: [],
      env: {},
      workdir: '/app',
      network: 'none',
      ports: [],
      memoryMb: null,
      pids: null,
      storageMb: null,
      ...changes,
    }
    this.#opened.add(spec.files)
    const box = await this.sandbox.open(spec)
    this.#boxes.push(box)
    return box
  }

  /** Runs a line of shell; its output beside how it ended. */
  async sh(
    box: Box,
    script: string,
    options: Partial<ExecOptions> = {},
  ): Promise<Exec & { text: string; error: string }> {
    return await this.exec(box, ['sh', '-c', script], options)
  }

  async exec(box: Box, argv: readonly string[], options: Partial<ExecOptions> = {}) {
    const name = randomUUID()
    const files = { stdoutFile: join(this.dir, `${name}.out`), stderrFile: join(this.dir, `${name}.err`) }
    const whole = { timeoutMs: 120_000, graceMs: 100, outputBytes: 100_000, ...files, ...options }
    const result = await box.exec(argv, whole)
    return { ...result, text: readFileSync(whole.stdoutFile, 'utf8'), error: readFileSync(whole.stderrFile, 'utf8') }
  }

  /** Processes of the host that belong to the box, by its token. */
  processes(): readonly number[] {
    const attempt = { token: this.token, pid: null, startTime: null }
    return membersOf(listProcesses(), [attempt]).map(({ pid }) => pid)
  }

  async end(): Promise<void> {
    for (const box of this.#boxes) await box.close()
    assert.deepEqual(this.processes(), [], 'nothing is left of closed boxes')
    for (const files of this.#opened) await this.sandbox.discard(files)
    removeFolder(this.dir)
  }
}

export async function keep(check: Check, sandbox: Sandbox, root: Root): Promise<void> {
  const world = new World(sandbox, root)
  try {
    await check.run(world)
  } finally {
    await world.end()
  }
}

/** Waits for a condition; the test's own limit ends a wait in vain. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(resolve => setTimeout(resolve, 20))
}
