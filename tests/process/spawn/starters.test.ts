import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { endGroup } from '../../../src/process/end.ts'
import { listProcesses } from '../../../src/process/processes.ts'
import { loadLibc } from '../../../src/process/spawn/libc.ts'
import { nodeStarter } from '../../../src/process/spawn/node-starter.ts'
import { posixStarter } from '../../../src/process/spawn/posix-starter.ts'
import type { Listen } from '../../../src/process/spawn/reaper.ts'
import { spawnGroup } from '../../../src/process/spawn/spawn-group.ts'
import type { Environment, Starter } from '../../../src/process/spawn/starter.ts'
import { needsProc } from '../../support/needs.ts'
import { program, temporaryDirectory } from '../support.ts'

const libc = loadLibc()
// Tests run in threads, which hear no signals; spawn-group.test.ts has a process that does.
const listen: Listen = look => void setInterval(look, 5).unref()
const starters: [string, Starter][] = [['Node', nodeStarter]]
if (libc !== undefined) starters.push(['posix_spawn', posixStarter(libc, listen)])

test.runIf(process.platform === 'linux')('on Linux programs are started by posix_spawn', () => {
  expect(libc?.waitForOne).toBeTypeOf('function')
})

describe.each(starters)('a program started by %s', (_, starter) => {
  function start(argv: readonly string[], more: { cwd?: string; env?: Environment } = {}) {
    const dir = temporaryDirectory()
    const files = { stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') }
    const spawned = spawnGroup({ argv, cwd: more.cwd ?? dir, env: more.env ?? process.env, ...files }, starter)
    const printed = async () => {
      await spawned.exit
      return readFileSync(files.stdoutFile, 'utf8')
    }
    return { ...files, ...spawned, dir, printed }
  }

  const shell = (script: string, env?: Environment) => start(['/bin/sh', '-c', script], { ...(env && { env }) })

  test('reports its exit code and output', async () => {
    const { exit, stdoutFile, stderrFile } = start([program('exits.sh'), '7'])
    expect(await exit).toMatchObject({ kind: 'exited', code: 7, hasLeftovers: false })
    expect(readFileSync(stdoutFile, 'utf8')).toBe('to stdout\n')
    expect(readFileSync(stderrFile, 'utf8')).toBe('to stderr\n')
  })

  test.each(['SIGSEGV', 'SIGABRT', 'SIGKILL', 'SIGTERM', 'SIGIO'])('reports %s', async signal => {
    expect(await start([program('dies.sh'), signal.slice(3)]).exit).toMatchObject({ kind: 'signalled', signal })
  })

  test('leads its own session and group', async () => {
    const { pid, exit } = start([program('sleeps.sh')])
    const own = listProcesses().find(entry => entry.pid === pid)
    expect(own).toMatchObject({ parent: process.pid, group: pid, session: pid })
    await endGroup({ token: 'none', pid, startTime: null }, 0)
    expect(await exit).toMatchObject({ kind: 'signalled' })
  })

  test('has empty input, its two files, and no other open file', async () => {
    needsProc()
    const { stdoutFile, stderrFile, printed } = shell('exec readlink /proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2')
    expect(await printed()).toBe(`/dev/null\n${stdoutFile}\n${stderrFile}\n`)
    const ours = join(temporaryDirectory(), 'ours.txt')
    const fd = openSync(ours, 'w')
    onTestFinished(() => closeSync(fd))
    expect(await shell('exec ls -l /proc/self/fd').printed()).not.toContain(ours)
  })

  test('has no signal blocked or ignored', async () => {
    needsProc()
    const status = await shell('exec cat /proc/self/status').printed()
    expect(status).toMatch(/^SigBlk:\t0+$/m)
    // Except 32 and 33, which glibc reserves.
    expect(status).toMatch(/^SigIgn:\t0{7}[01][08]0{7}$/m)
  })

  test('has exactly the given variables', async () => {
    const { printed } = start(['/usr/bin/env'], { env: { MINE: 'Grüße', EMPTY: '', GONE: undefined } })
    expect((await printed()).split('\n').sort()).toEqual(['', 'EMPTY=', 'MINE=Grüße'])
  })

  test('gets its arguments unchanged', async () => {
    const args = ['', ' ', '"\'`$HOME', 'zwei\nZeilen', '日本', '\\']
    expect(await start(['/usr/bin/printf', '%s\\0', ...args]).printed()).toBe(args.map(arg => `${arg}\0`).join(''))
  })

  test('is found in its own PATH, relative to its working directory', async () => {
    const cwd = temporaryDirectory()
    mkdirSync(join(cwd, 'bin'))
    script(join(cwd, 'bin', 'greet'), '#!/bin/sh\necho "from $(pwd)"\n')
    expect(await start(['greet'], { cwd, env: { PATH: `/nowhere:bin:/bin:/usr/bin` } }).printed()).toBe(`from ${cwd}\n`)
    expect(await start(['./bin/greet'], { cwd }).printed()).toBe(`from ${cwd}\n`)
  })

  test('may be a script without an interpreter line', async () => {
    const file = join(temporaryDirectory(), 'plain')
    script(file, 'echo "$0 $1 $#"\n')
    expect(await start([file, 'one two']).printed()).toBe(`${file} one two 1\n`)
  })

  test('gets its own exit status among many', async () => {
    const codes = Array.from({ length: 100 }, (_, index) => index)
    const ends = await Promise.all(codes.map(code => start(['/bin/sh', '-c', `exit ${code}`]).exit))
    expect(ends).toMatchObject(codes.map(code => ({ kind: 'exited', code, hasLeftovers: false })))
  })

  test('may leave processes behind, which are reported', async () => {
    const { pid, exit } = shell('sleep 1000000 & exit 3')
    onTestFinished(async () => void (await endGroup({ token: 'none', pid, startTime: null }, 0)))
    expect(await exit).toMatchObject({ kind: 'exited', code: 3, hasLeftovers: true })
  })

  describe('that can’t be', () => {
    const dir = temporaryPlace()

    test.each([
      ['is not there', ['no-such-program'], {}, 'ENOENT', 'there is no program no-such-program in PATH'],
      ['is no file', ['./no-such-file'], {}, 'ENOENT', 'there is no file ./no-such-file'],
      ['has no name', [''], {}, expect.any(String), expect.any(String)],
      ['may not be executed', ['./data'], {}, 'EACCES', './data may not be executed'],
      ['is a folder', ['./folder'], {}, 'EACCES', './folder may not be executed'],
      ['has a folder in its place', ['folder'], { env: { PATH: '.' } }, expect.any(String), expect.any(String)],
      ['is not executable in PATH', ['data'], { env: { PATH: '.' } }, 'EACCES', 'data may not be executed'],
      ['starts in no folder', ['/bin/ls'], { cwd: '/nowhere' }, 'ENOENT', 'there is no folder /nowhere'],
      ['starts in a file', ['/bin/ls'], { cwd: '/bin/ls' }, 'ENOTDIR', '/bin/ls is no folder'],
      ['has a name that is too long', ['x'.repeat(300)], {}, expect.any(String), expect.any(String)],
      ['is run by nothing', ['./orphan'], {}, 'ENOENT', expect.stringMatching(/the first line of .*orphan says/)],
      ['has too long arguments', ['/bin/ls', 'x'.repeat(3e6)], {}, 'E2BIG', expect.stringContaining('longer than')],
      ['has a NUL in an argument', ['/bin/ls', 'a\0b'], {}, 'EINVAL', expect.stringContaining('NUL')],
      ['has a NUL in a variable', ['/bin/ls'], { env: { A: 'b\0' } }, 'EINVAL', expect.stringContaining('NUL')],
    ] as const)('because it %s', async (_, argv, more, code, message) => {
      const { pid, exit } = start(argv, { cwd: dir(), ...more })
      expect(pid).toBeNull()
      const words = typeof message === 'string' ? `${message} (${code})` : message
      expect(await exit).toEqual({ kind: 'not_started', code, message: words, hasLeftovers: false })
    })
  })
})

describe.runIf(libc !== undefined)('posix_spawn', () => {
  const start = (script: string, env: Environment = process.env, shell = '/bin/sh') => {
    const dir = temporaryDirectory()
    const files = { stdoutFile: join(dir, 'out'), stderrFile: join(dir, 'err') }
    const starter = posixStarter(libc ?? expect.fail(), listen)
    return spawnGroup({ argv: [shell, '-c', script], cwd: dir, env, ...files }, starter)
  }

  test('reports signals without a name', async () => {
    expect(await start('kill -40 $$', process.env, '/bin/bash').exit).toMatchObject({ signal: 'SIG40' })
  })

  test('finds programs behind unreadable folders in PATH', async () => {
    const dir = temporaryDirectory()
    symlinkSync('itself', join(dir, 'itself'))
    const env = { PATH: `${dir}/itself:${dir}/${'x'.repeat(300)}:/dev/null:/bin:/usr/bin` }
    expect(await start('exit 4', env, 'sh').exit).toMatchObject({ kind: 'exited', code: 4 })
  })

  test('reports the CPU time of the program and its children', async () => {
    const work = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'
    const [itself, child, idle] = await Promise.all([
      start(work).exit,
      start(`(${work}); exit 0`).exit,
      start('sleep 0.2').exit,
    ])
    expect('cpu_s' in itself && itself.cpu_s).toBeGreaterThan(0.02)
    expect('cpu_s' in child && child.cpu_s).toBeGreaterThan(0.02)
    expect('cpu_s' in idle && idle.cpu_s).toBeLessThan(0.02)
  })

  test('ignores an unawaited exit reported elsewhere', async () => {
    const { pid, exit } = start('exit 0')
    expect(libc?.waitForOne(pid ?? -1, new Int32Array(1), 0, new BigInt64Array(32))).toBe(pid)
    expect(await exit).toMatchObject({ kind: 'lost' })
  })
})

function script(file: string, text: string): void {
  writeFileSync(file, text)
  chmodSync(file, 0o755)
}

/** A folder with things in it that can't be started. */
function temporaryPlace(): () => string {
  return () => {
    const dir = temporaryDirectory()
    writeFileSync(join(dir, 'data'), 'data')
    mkdirSync(join(dir, 'folder'))
    script(join(dir, 'orphan'), '#!/no/such/interpreter\n')
    return dir
  }
}
