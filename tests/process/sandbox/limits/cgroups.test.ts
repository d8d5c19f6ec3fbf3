import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findGroups, removeGroups } from '../../../../src/process/sandbox/limits/cgroups.ts'
import { sha256 } from '../../../../src/util/hash.ts'

/**
 * As many processes as the group may have, each of which leaves two and ends at once, for some seconds at most: of those
 * in a listing, most are gone when it is read, and others have come.
 */
const forksOn = `$end = time + 15;
while (time < $end) { my $one = fork; next if !defined $one; if ($one) { my $two = fork; exit if !defined $two || $two } }`
const mostForks = '20'

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

/** In the groups of these files, until it ends or is ended. */
async function startIn(joinFiles: readonly string[], program: readonly string[]): Promise<void> {
  const script = 'until [ "$1" = -- ]; do echo 0 > "$1" || exit 1; shift; done; shift; exec "$@"'
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...joinFiles, '--', ...program], {
    ...{ detached: true, stdio: 'ignore' },
  })
  child.unref()
  await expect.poll(() => readFileSync(joinFiles[0] ?? '', 'utf8')).not.toBe('')
}

/** All of the processes that the group may have. */
async function startForks(joinFiles: readonly string[], groupFolder: string): Promise<void> {
  writeFileSync(join(groupFolder, 'pids.max'), mostForks)
  await startIn(joinFiles, ['perl', '-e', forksOn])
  await expect.poll(() => readFileSync(join(groupFolder, 'pids.current'), 'utf8').trim()).toBe(mostForks)
}

const left = (type: 'cgroup2' | 'pids') => {
  const place = existsSync('/proc/self/mountinfo') ? placeOf(type) : null
  if (place === null) return null
  const token = `${type}-${process.pid}`
  const folder = join(place, `assay-${sha256(token).slice(0, 16)}-1`)
  mkdirSync(folder)
  const roots = [place]
  return { token, folder, hierarchies: { version: type === 'pids' ? 1 : 2, memory: null, pids: null, roots } } as const
}

/** Removes it from a PID namespace in which no process of the group is visible, so none can be ended individually. */
function removeUnseen({ token, hierarchies }: NonNullable<ReturnType<typeof left>>): Promise<number | null> {
  const module = new URL('../../../../src/process/sandbox/limits/cgroups.ts', import.meta.url)
  const code = `const { removeGroups } = await import(${JSON.stringify(module)})
    await removeGroups([${JSON.stringify(token)}], ${JSON.stringify(hierarchies)})`
  const args = ['--pid', '--fork', process.execPath, '--input-type=module', '--eval', code]
  return new Promise(resolve => spawn('unshare', args, { stdio: 'ignore' }).once('exit', resolve))
}

const hasNamespaces = (): boolean => spawnSync('unshare', ['--pid', '--fork', 'true']).status === 0

it('kills a group left by a crashed assay at once (version 2)', async ({ skip }) => {
  if (!hasNamespaces()) return skip('no namespace of processes can be made here')
  const group = left('cgroup2')
  if (group === null) return skip('no group of version 2 can be made here')
  if (!existsSync(join(group.folder, 'cgroup.kill'))) return skip('the kernel has no cgroup.kill')
  await startIn([join(group.folder, 'cgroup.procs')], ['sleep', '60'])
  expect(await removeUnseen(group)).toBe(0)
  expect(existsSync(group.folder)).toBe(false)
})

it('prevents forks in a group left by a crashed assay until it is gone (version 1)', async ({ skip }) => {
  if (!hasNamespaces() || !existsSync('/usr/bin/perl'))
    return skip('no namespace of processes can be made here, or perl is not installed')
  const group = left('pids')
  if (group === null) return skip('no group of version 1 can be made here')
  await startForks([join(group.folder, 'cgroup.procs')], group.folder)
  const removed = removeUnseen(group)
  await expect.poll(() => readFileSync(join(group.folder, 'pids.max'), 'utf8')).toBe('0\n')
  await removeGroups([group.token], group.hierarchies)
  expect(existsSync(group.folder)).toBe(false)
  expect(await removed).toBe(0)
})

it('removes a box with only a memory limit although its processes keep forking', async ({ skip }) => {
  const groups = findGroups()
  if (!groups.memory || !groups.pids || !existsSync('/usr/bin/perl'))
    return skip('no such groups can be made here, or perl is not installed')
  const group = groups.make(`memory-${process.pid}`, { memoryMb: 64, pids: null })
  const folders = (group?.joinFiles ?? []).map(dirname)
  const counted = folders.find(folder => existsSync(join(folder, 'pids.max')))
  expect(counted).toBeDefined()
  await startForks(group?.joinFiles ?? [], counted ?? '')
  await group?.remove()
  expect(folders.filter(existsSync)).toEqual([])
})
