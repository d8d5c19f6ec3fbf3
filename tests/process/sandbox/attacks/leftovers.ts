import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endSandboxes } from '../../../../src/process/sandbox/sandbox.ts'
import { sha256 } from '../../../../src/util/hash.ts'
import { type Check, until } from '../world.ts'

export const leftoverAttacks: readonly Check[] = [
  {
    name: 'attack: outliving its time as a daemon',
    async run(world) {
      const box = await world.open()
      const daemon = '(setsid sh -c "trap \\"\\" TERM HUP; (while :; do sleep 1; done) &" &) ; setsid sleep 1000 &'
      const ran = await world.sh(box, `${daemon} trap "" TERM; while :; do sleep 1; done`, { timeoutMs: 1500 })
      assert.equal(ran.how, 'timed_out')
      assert.deepEqual(ran.leftovers, [])
      assert.deepEqual(world.processes(), [])
    },
  },
  {
    name: 'attack: leaving a daemon without its token behind',
    async run(world) {
      const box = await world.open()
      const seconds = onlyHere()
      const ran = await world.sh(box, `env -i setsid sh -c "(sleep ${seconds} &)" > /dev/null 2>&1; echo done`)
      assert.equal(ran.text, 'done\n')
      await until(async () => (await world.sh(box, 'true')).leftovers.includes('sleep'))
      await box.close()
      assert.deepEqual(
        commandLines().filter(line => line.includes(seconds)),
        [],
      )
    },
  },
  {
    name: 'attack: surviving kill -9 of assay',
    async run(world) {
      const seconds = onlyHere()
      const script = join(import.meta.dirname, '../../../fixtures/sandbox/hold-box.ts')
      const holder = spawn(process.execPath, [script, world.dir, world.token, seconds], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [ready] = await once(holder.stdout, 'data')
      assert.match(String(ready), /^up/)
      assert.ok(world.processes().length > 0)
      holder.kill('SIGKILL')
      await once(holder, 'exit')
      // Without anybody's help.
      await until(() => world.processes().length === 0)
      await until(() => !commandLines().some(line => line.includes(seconds)))
      await endSandboxes([world.token])
      assert.deepEqual(groupsOf(world.token), [])
    },
  },
]

/** How long a program sleeps, to know it by: another suite may run on this machine at the same time. */
const onlyHere = (): string => `50000.${process.pid}${randomInt(1_000_000)}`

function commandLines(): readonly string[] {
  return readdirSync('/proc').flatMap(name => {
    try {
      return /^\d+$/.test(name) && Number(name) !== process.pid ? [readFileSync(`/proc/${name}/cmdline`, 'latin1')] : []
    } catch {
      return []
    }
  })
}

function groupsOf(token: string): readonly string[] {
  const prefix = `assay-${sha256(token).slice(0, 16)}`
  return groupsIn('/sys/fs/cgroup').filter(path => path.includes(prefix))
}

/** Folder by folder: groups of other tests come and go meanwhile. */
function groupsIn(folder: string): readonly string[] {
  const inside = foldersIn(folder).map(name => join(folder, name))
  return [...inside, ...inside.flatMap(groupsIn)]
}

function foldersIn(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
  } catch {
    return []
  }
}
