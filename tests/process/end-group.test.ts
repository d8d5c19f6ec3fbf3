import { describe, expect, test } from 'vitest'
import { endGroup, hasLeftovers } from '../../src/process/end.ts'
import { listProcesses, membersOf } from '../../src/process/processes.ts'
import { needsProc } from '../support/needs.ts'
import { fileWith, startProgram } from './support.ts'

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

  test('what a program leaves in its group is seen after its exit', async () => {
    const started = startProgram('leaves-background.sh')
    expect(await started.exit).toMatchObject({ kind: 'exited', code: 0 })
    expect(hasLeftovers(started.pid)).toBe(true)
    await endGroup(started.attempt, 1000)
    expect(alive(started)).toBe(0)
  })

  test('nothing is left of a program that starts nothing', async () => {
    const started = startProgram('prints.sh', ['hello'])
    await started.exit
    expect(hasLeftovers(started.pid)).toBe(false)
  })
})
