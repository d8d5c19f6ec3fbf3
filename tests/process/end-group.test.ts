import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endGroup, hasLeftovers } from '../../src/process/end.ts'
import { listProcesses, membersOf } from '../../src/process/processes.ts'
import { needsProc } from '../support/needs.ts'
import { fileWith, program, startProgram, temporaryDirectory } from './support.ts'

const alive = (started: ReturnType<typeof startProgram>) => membersOf(listProcesses(), [started.attempt]).length

describe('endGroup', () => {
  test('a well-behaved program ends at SIGTERM', async () => {
    const started = startProgram('sleeps.sh')
    await fileWith(started.stdoutFile, 'ready')
    await endGroup(started.attempt, 60_000)
    expect(await started.exit).toMatchObject({ kind: 'signalled', signal: 'SIGTERM' })
  })

  test('children and grandchildren that ignore SIGTERM are killed after the grace', async () => {
    const started = startProgram('ignores-sigterm.sh')
    await fileWith(started.stdoutFile, 'ready')
    expect(alive(started)).toBeGreaterThanOrEqual(3)
    await endGroup(started.attempt, 100)
    expect(alive(started)).toBe(0)
    expect(await started.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL' })
  })

  test('a grandchild that made its own session is found by its token', async () => {
    needsProc()
    const started = startProgram('leaves-session.sh')
    const said = await fileWith(started.stdoutFile, 'ready')
    const grandchild = Number(said.split(' ')[1])
    expect(listProcesses().find(({ pid }) => pid === grandchild)?.session).toBe(grandchild)
    await endGroup(started.attempt, 50)
    expect(listProcesses().find(({ pid, zombie }) => pid === grandchild && !zombie)).toBeUndefined()
  })

  // In a separate process, which alone adopts the strays of its programs.
  test.each(['group', 'session', 'cleared'])('ends a program that forks and exits repeatedly (%s)', async how => {
    needsProc()
    const folder = temporaryDirectory()
    const script = join(import.meta.dirname, '../fixtures/forks-on.mjs')
    const said = execFileSync(process.execPath, [script, program('forks-on.sh'), how, folder], { encoding: 'utf8' })
    expect(JSON.parse(said)).toEqual({ living: 0, beside: 0 })
  })

  test('kills a program that forks between listing and signal with its group', async () => {
    needsProc()
    const folder = temporaryDirectory()
    const started = startProgram('hops.sh', [folder])
    await expect.poll(() => existsSync(join(folder, '1'))).toBe(true)
    let at = 1
    // Called for each listed process before any signal: the program then moves on to another pid.
    const goOn = () => {
      writeFileSync(join(folder, `go-${at}`), '')
      const until = performance.now() + 500
      while (!existsSync(join(folder, String(at + 1))) && performance.now() < until)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      if (existsSync(join(folder, String(at + 1)))) at++
      return false
    }
    expect(await endGroup(started.attempt, 0, goOn)).toEqual([])
    expect(at).toBeGreaterThan(1)
    expect(alive(started)).toBe(0)
  })

  test('ends a chain of sessions, and spares other programs', async () => {
    needsProc()
    const folder = temporaryDirectory()
    const script = join(import.meta.dirname, '../fixtures/forks-on.mjs')
    const args = [script, program('forks-on.sh'), 'session', folder, '3']
    expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toEqual({ living: 0, beside: 3 })
  })

  test('finds processes left in the group after the program’s exit', async () => {
    const started = startProgram('leaves-background.sh')
    expect(await started.exit).toMatchObject({ kind: 'exited', code: 0 })
    expect(hasLeftovers(started.pid)).toBe(true)
    await endGroup(started.attempt, 1000)
    expect(alive(started)).toBe(0)
  })

  test('finds no process after a program without children', async () => {
    const started = startProgram('prints.sh', ['hello'])
    await started.exit
    expect(hasLeftovers(started.pid)).toBe(false)
  })
})
