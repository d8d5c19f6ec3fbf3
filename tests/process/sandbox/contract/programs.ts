import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Check, until } from '../world.ts'

export const programChecks: readonly Check[] = [
  {
    name: 'runs a program with its input, variables and folder',
    async run(world) {
      const box = await world.open({ env: { FROM_BOX: 'one', BOTH: 'box' } })
      const ran = await world.sh(box, 'cat; echo "$FROM_BOX $BOTH"; pwd; exit 3', {
        stdin: 'given\n',
        env: { BOTH: 'exec' },
      })
      assert.match(ran.text, /^given\none exec\n.*\/app\n$/)
      assert.equal(ran.exitCode, 3)
      assert.equal(ran.how, 'exited')
      assert.deepEqual(ran.reached, [])
      const elsewhere = await world.sh(box, 'pwd', { cwd: '/tmp' })
      assert.match(elsewhere.text, /\/tmp\n$/)
    },
  },
  {
    name: 'says that a program is not there',
    async run(world) {
      const ran = await world.exec(await world.open(), ['no-such-program-here'])
      assert.equal(ran.how, 'not_started')
      assert.notEqual(ran.exitCode, 0)
    },
  },
  {
    name: 'passes variables that change programs only to the box',
    async run(world) {
      const box = await world.open({ env: { LD_LIBRARY_PATH: '/nowhere', ENV: '/nowhere/rc' } })
      const ran = await world.sh(box, 'echo "$LD_LIBRARY_PATH $ENV"')
      assert.deepEqual([ran.text, ran.error], ['/nowhere /nowhere/rc\n', ''])
    },
  },
  {
    name: 'keeps processes and files from one exec to the next, names those left, and ends them with the box',
    async run(world) {
      const box = await world.open()
      // Until then it is still the shell that starts it.
      const begun = 'while [ "$(cat /proc/$!/comm 2>/dev/null || echo sleep)" != sleep ]; do :; done'
      const first = await world.sh(box, `echo kept > file; sleep 1000 > /dev/null 2>&1 & echo $! > pid; ${begun}`)
      assert.deepEqual(first.leftovers, ['sleep'])
      const second = await world.sh(box, 'cat file; kill -0 $(cat pid) && echo alive')
      assert.equal(second.text, 'kept\nalive\n')
      await box.close()
      await box.close()
      assert.deepEqual(world.processes(), [])
      await assert.rejects(world.sh(box, 'true'), /closed/)
    },
  },
  {
    name: 'does not wait for a daemon that keeps the output open',
    async run(world) {
      const ran = await world.sh(await world.open(), 'echo said; setsid sleep 1000 &')
      assert.equal(ran.text, 'said\n')
      assert.equal(ran.how, 'exited')
    },
  },
  {
    name: 'ends everything when the time is up, deaf programs and daemons too, and can be used again',
    async run(world) {
      const box = await world.open()
      const script = 'echo x > here; setsid sleep 1000 & trap "" TERM; echo started; while :; do sleep 1; done'
      const ran = await world.sh(box, script, { timeoutMs: 1500 })
      assert.equal(ran.how, 'timed_out')
      assert.equal(ran.text, 'started\n')
      const again = await world.sh(box, 'sleep 0.5; cat here')
      assert.deepEqual([again.text, again.exitCode, again.leftovers], ['x\n', 0, []])
    },
  },
  {
    name: 'ends a program that forks and ends, again and again',
    async run(world) {
      const box = await world.open()
      await world.sh(
        box,
        `echo '[ $1 = 3 ] && touch third; [ $1 -gt 400 ] && exit; sleep 0.02; setsid sh on.sh $(($1 + 1)) &' > on.sh`,
      )
      const script = 'sh on.sh 1 & while [ ! -e third ]; do sleep 0.01; done; exec sleep 1000'
      const ran = await world.sh(box, script, { timeoutMs: 1500 })
      assert.equal(ran.how, 'timed_out')
      // One that lives on is between two numbers now and then, but not every time.
      const seen = Array.from({ length: 20 }, () => world.processes().length)
      assert.deepEqual(new Set(seen), new Set([world.processes().length]))
      await box.close()
      assert.deepEqual(
        Array.from({ length: 20 }, () => world.processes().length),
        Array(20).fill(0),
      )
    },
  },
  {
    name: 'gives a program the time to end by itself',
    async run(world) {
      const script = 'trap "echo bye; exit 7" TERM; echo ready; while :; do sleep 0.05; done'
      const ran = await world.sh(await world.open(), script, { timeoutMs: 2000, graceMs: 60_000 })
      assert.equal(ran.how, 'timed_out')
      assert.match(ran.text, /bye\n$/)
    },
  },
  {
    name: 'stops by a signal of the caller',
    async run(world) {
      const box = await world.open()
      const controller = new AbortController()
      const stdoutFile = join(world.dir, 'watched.txt')
      const running = world.sh(box, 'echo up; sleep 1000', { signal: controller.signal, stdoutFile })
      await until(() => existsSync(stdoutFile) && readFileSync(stdoutFile, 'utf8') === 'up\n')
      controller.abort()
      assert.equal((await running).how, 'stopped')
      const before = await world.sh(box, 'echo never', { signal: AbortSignal.abort() })
      assert.equal(before.how, 'stopped')
    },
  },
  {
    name: 'keeps the beginning and the end of too much output, and says how much is missing',
    async run(world) {
      const box = await world.open()
      const script = 'echo first; seq 1 100000; echo last'
      const ran = await world.sh(box, script, { outputBytes: 2000 })
      assert.match(ran.text, /^first\n1\n/)
      assert.match(ran.text, /\[assay: \d+ bytes of output were not kept\]/)
      assert.match(ran.text, /\nlast\n$/)
      assert.ok(ran.text.length < 2100)
      assert.equal(ran.cutBytes, 588_906 - 2000)
      assert.deepEqual(ran.reached, ['output'])
    },
  },
  {
    name: 'writes both outputs to one file in their order',
    async run(world) {
      const file = join(world.dir, 'both.txt')
      const script = 'echo one; sleep 1; echo two >&2; sleep 1; echo three'
      const ran = await world.sh(await world.open(), script, { stdoutFile: file, stderrFile: file })
      assert.equal(ran.text, 'one\ntwo\nthree\n')
    },
  },
]
