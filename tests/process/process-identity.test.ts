import { expect, test } from 'vitest'
import { isAlive, parsePsLine, parseStat, thisProcess } from '../../src/process/processes.ts'
import { fileWith, startProgram } from './support.ts'

test('this process is alive', () => {
  expect(isAlive(thisProcess())).toBe(true)
})

test('distinguishes processes by start time and boot', () => {
  expect(isAlive({ ...thisProcess(), startTime: '1' })).toBe(false)
  expect(isAlive({ ...thisProcess(), bootId: 'an earlier one' })).toBe(false)
})

test('a process is not alive any more after its exit', async () => {
  const started = startProgram('sleeps.sh')
  await fileWith(started.stdoutFile, 'ready')
  const identity = { ...thisProcess(), pid: started.pid, startTime: started.attempt.startTime }
  expect(isAlive(identity)).toBe(true)
  process.kill(started.pid, 'SIGKILL')
  await started.exit
  expect(isAlive(identity)).toBe(false)
})

test('parses a program name with brackets and spaces', () => {
  const line = '42 (a) b (c) Z 1 42 40 0 -1 4194304 99 0 0 0 150 50 30 20 20 0 1 0 93181 2998272 383'
  expect(parseStat(line)).toMatchObject({ pid: 42, parent: 1, group: 42, session: 40, zombie: true, cpu_s: 2.5 })
  expect(parseStat(line).startTime).toBe('93181')
})

test('reads the columns of ps without /proc', () => {
  expect(parsePsLine('  501     1   500 Ss   Sun Nov 15 21:07:22 2026    ')).toMatchObject([
    { pid: 501, parent: 1, group: 500, zombie: false, startTime: 'Sun Nov 15 21:07:22 2026' },
  ])
  expect(parsePsLine('')).toEqual([])
})
