import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** libfaketime, which gives a program another clock; undefined: it is not installed. */
export const fakeClockLibrary = ['x86_64', 'aarch64']
  .map(machine => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find(existsSync)

/** The clock follows `file`; the monotonic clock is unaffected. */
export const fakeClock = (file: string): Readonly<Record<string, string>> => ({
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  FAKETIME_DONT_RESET: '1',
})

/** Each process with the library has two files in memory, and leaves them behind when it is killed. */
export function removeClocksOfTheDead(): void {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return
  for (const name of readdirSync(memory)) {
    const pid = /^(?:faketime_shm|sem\.faketime_sem)_(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(memory, name), { force: true })
  }
}
