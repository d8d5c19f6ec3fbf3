import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Check } from '../world.ts'

export const limitChecks: readonly Check[] = [
  {
    name: 'has no network but its own loopback',
    needs: can => can.cutsNetwork,
    async run(world) {
      const { text } = await world.sh(await world.open(), 'cat /proc/net/dev')
      const interfaces = text.split('\n').flatMap(line => /^\s*(\w+):/.exec(line)?.[1] ?? [])
      assert.deepEqual(interfaces, ['lo'])
    },
  },
  {
    name: 'leads a port of the box to a unix socket of the host, without a network',
    needs: can => can.cutsNetwork,
    async run(world) {
      const socket = join(world.dir, 'model.sock')
      const server = createServer(client => client.on('data', data => client.end(`got ${data}`)))
      await new Promise<void>(resolve => server.listen(socket, resolve))
      try {
        const port = 18_080
        const box = await world.open({ ports: [{ port, socket }] })
        const talk = `exec 3<>/dev/tcp/127.0.0.1/${port}; echo hello >&3; cat <&3`
        assert.equal((await world.exec(box, ['bash', '-c', talk])).text, 'got hello\n')
        await world.sh(box, 'sleep 1000', { timeoutMs: 300 })
        assert.equal((await world.exec(box, ['bash', '-c', talk])).text, 'got hello\n')
      } finally {
        server.close()
      }
    },
  },
  {
    name: 'ends what uses more memory than the box may have',
    needs: can => can.memory,
    async run(world) {
      const box = await world.open({ memoryMb: 64 })
      // tail keeps a line that has no end.
      const one = await world.sh(box, 'head -c 200000000 /dev/zero | tail > /dev/null')
      assert.notEqual(one.exitCode, 0)
      assert.ok(one.reached.includes('memory'), JSON.stringify(one))
      const hoard = '(head -c 40000000 /dev/zero; sleep 6) | tail > /dev/null'
      const together = await world.sh(box, `${hoard} & ${hoard} & ${hoard} & wait`)
      assert.ok(together.reached.includes('memory'), JSON.stringify(together))
    },
  },
  {
    name: 'refuses more processes than the box may have',
    needs: can => can.pids,
    async run(world) {
      const box = await world.open({ pids: 20 })
      const ran = await world.sh(box, 'for i in $(seq 40); do sleep 1000 & done; sleep 1', { timeoutMs: 5_000 })
      assert.ok(ran.reached.includes('processes'), JSON.stringify(ran))
      assert.ok(world.processes().length < 40)
    },
  },
  {
    name: 'ends what writes more than the box may hold',
    needs: can => can.storage,
    async run(world) {
      const box = await world.open({ storageMb: 20 })
      const many = 'for i in $(seq 10); do head -c 5000000 /dev/zero > file$i; done; sleep 1000'
      const ran = await world.sh(box, many, { timeoutMs: 60_000 })
      assert.equal(ran.how, 'out_of_storage')
      assert.deepEqual(ran.reached, ['storage'])
      // A single file ends at the limit.
      const fresh = await world.open({ storageMb: 20, files: join(world.dir, 'other') })
      const one = await world.sh(fresh, 'head -c 50000000 /dev/zero > file; wc -c < file')
      assert.ok(Number(one.text) <= 20 * 1024 * 1024 || one.how === 'out_of_storage', JSON.stringify(one))
    },
  },
  {
    name: 'blames the storage where files that fill it fill the memory first',
    needs: can => can.storage && can.memory,
    async run(world) {
      // A file in memory is both at once; the kernel kills for memory before anybody looks at the storage.
      const shared = mkdtempSync('/dev/shm/assay-box-')
      try {
        const mounts = [{ source: shared, target: '/full', writable: true }]
        const box = await world.open({ storageMb: 20, memoryMb: 40, mounts })
        const script = 'for i in 1 2 3 4; do head -c 15000000 /dev/zero > /full/$i || kill -9 $$; done; sleep 1000'
        const ran = await world.sh(box, script, { timeoutMs: 60_000 })
        assert.equal(ran.how, 'out_of_storage', JSON.stringify(ran))
        assert.ok(ran.reached.includes('storage'), JSON.stringify(ran))
      } finally {
        rmSync(shared, { recursive: true, force: true })
      }
    },
  },
]
