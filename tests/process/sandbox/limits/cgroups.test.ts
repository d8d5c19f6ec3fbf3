import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findGroups, removeGroups } from '../../../../src/process/sandbox/limits/cgroups.ts'
import { sha256 } from '../../../../src/util/hash.ts'

/** Five chains of processes, each of which forks and ends at once, over and over for some seconds at most. */
const forksOn = 'fork or last for 1..4; $end = time + 15; while (time < $end) { exit if fork }'

/** Where groups of this kind can be made, and a process can join. */
function placeOf(type: 'cgroup2' | 'pids'): string | null {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  const wanted = type === 'pids' ? / - cgroup \S+ \S*\bpids\b/ : / - cgroup2 /
  const place = mounts.find(line => wanted.test(line))?.split(' ')[4]
  if (place === undefined) return null
  try {
    mkdirSync(join(place, `assay-test-${process.pid}`))
    rmdirSync(join(place, `assay-test-${process.pid}`))
    return place
  } catch {
    return null
  }
}

/** Chains in a group, once they go on by themselves. */
async function chainsIn(joinFile: string): Promise<void> {
  const script = 'echo 0 > "$0" && exec perl -e "$1"'
  const child = spawn('/bin/sh', ['-c', script, joinFile, forksOn], { detached: true, stdio: 'ignore' })
  const status = await new Promise(resolve => child.once('exit', resolve))
  expect(status).toBe(0)
  await expect.poll(() => readFileSync(joinFile, 'utf8')).not.toBe('')
}

it.for([
  ['cgroup2', 'cgroup.kill'],
  ['pids', 'pids.max'],
] as const)(
  'a group that a crashed assay left is gone with processes that fork on (%s, by %s)',
  async ([type, file], { skip }) => {
    const place = existsSync('/proc/self/mountinfo') && existsSync('/usr/bin/perl') ? placeOf(type) : null
    if (place === null) return skip(`no group of ${type} can be made here, or perl is not installed`)
    const token = `${type}-${process.pid}`
    const folder = join(place, `assay-${sha256(token).slice(0, 16)}-1`)
    mkdirSync(folder)
    if (!existsSync(join(folder, file))) return skip(`the kernel has no ${file}`)
    await chainsIn(join(folder, 'cgroup.procs'))
    await removeGroups([token], { version: type === 'pids' ? 1 : 2, memory: null, pids: null, roots: [place] })
    expect(existsSync(folder)).toBe(false)
  },
)

it('a box with a limit of memory alone is gone with processes that fork on', async ({ skip }) => {
  const groups = findGroups()
  if (!groups.memory || !groups.pids || !existsSync('/usr/bin/perl'))
    return skip('no such groups can be made here, or perl is not installed')
  const group = groups.make(`memory-${process.pid}`, { memoryMb: 64, pids: null })
  const [first = '', ...others] = group?.joinFiles ?? []
  for (const file of others) expect(existsSync(file)).toBe(true)
  const script = 'for file; do echo 0 > "$file" || exit 1; done; exec perl -e "$0"'
  const child = spawn('/bin/sh', ['-c', script, forksOn, first, ...others], { detached: true, stdio: 'ignore' })
  expect(await new Promise(resolve => child.once('exit', resolve))).toBe(0)
  await expect.poll(() => readFileSync(first, 'utf8')).not.toBe('')
  await group?.remove()
  expect([first, ...others].filter(existsSync)).toEqual([])
})
