import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ListenOptions, type Server } from 'node:net'
import { join } from 'node:path'
import type { Check } from '../world.ts'

export const escapeAttacks: readonly Check[] = [
  {
    name: 'attack: reaching the network and the sockets of the host',
    async run(world) {
      const servers: Server[] = []
      const abstract = `\0assay-${randomUUID()}`
      const path = join(world.dir, 'host.sock')
      let calls = 0
      const listen = async (options: ListenOptions): Promise<Server> => {
        const server = createServer(client => {
          calls += 1
          client.end('reached')
        })
        servers.push(server)
        await new Promise<void>(resolve => server.listen(options, resolve))
        return server
      }
      try {
        const address = (await listen({ port: 0, host: '127.0.0.1' })).address()
        const port = typeof address === 'object' ? address?.port : 0
        await listen({ path })
        await listen({ path: abstract })
        const box = await world.open({ mounts: [{ source: process.execPath, target: '/opt/node', writable: false }] })
        for (const to of [{ port, host: '127.0.0.1' }, { port: 53, host: '1.1.1.1' }, { path }, { path: abstract }]) {
          const program = `require('net').connect(${JSON.stringify(to)}).on('connect', () => { console.log('reached'); process.exit() }).on('error', e => { console.log(e.code); process.exit(1) })`
          const ran = await world.exec(box, ['/opt/node', '-e', program])
          assert.match(ran.text, /^(ECONNREFUSED|ENETUNREACH|ENOENT)\n$/, JSON.stringify([to, ran]))
        }
        assert.equal(calls, 0)
      } finally {
        for (const server of servers) server.close()
      }
    },
  },
  {
    name: 'attack: seeing and changing the processes and settings of the host',
    async run(world) {
      const box = await world.open()
      const { text } = await world.sh(box, 'cat /proc/[0-9]*/comm')
      const names = new Set(text.trim().split('\n'))
      assert.deepEqual(
        [...names].filter(name => !['bwrap', 'cat', 'sh'].includes(name)),
        [],
      )
      assert.equal((await world.sh(box, `kill -9 ${process.pid}; kill -9 ${process.ppid}`)).exitCode, 1)
      const settings = [
        '/proc/sys/kernel/core_pattern',
        '/proc/sys/kernel/hostname',
        '/proc/sysrq-trigger',
        '/proc/sys/vm/drop_caches',
      ]
      const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
      for (const setting of settings) assert.notEqual((await world.sh(box, `echo x > ${setting}`)).exitCode, 0, setting)
      assert.equal(readFileSync('/proc/sys/kernel/core_pattern', 'utf8'), before)
      assert.equal((await world.sh(box, 'head -c 1 /proc/kcore; head -c 1 /proc/kmsg; ls -A /sys')).text, '')
    },
  },
  {
    name: 'attack: undoing the walls of the box',
    async run(world) {
      const box = await world.open()
      const attempts = [
        'umount /proc/sys',
        'umount -l /proc',
        'umount /usr',
        'mount -o remount,rw /proc/sys',
        'mount -o bind / /mnt',
        'mount -t tmpfs none /mnt',
        'mount -t proc proc /mnt',
        'mknod /app/disk b 8 0',
        'unshare --user true',
        'unshare --user --map-root-user --mount mount -t tmpfs none /mnt',
        'nsenter --target 1 --mount --user ls /work',
        'echo 1 > /proc/sys/user/max_user_namespaces',
        'hostname other',
        'sh -c "echo 0 > /proc/1/oom_score_adj; kill -9 1; kill -9 2; kill -0 1" && false',
      ]
      for (const attempt of attempts) {
        const ran = await world.sh(box, attempt)
        assert.notEqual(ran.exitCode, 0, `${attempt}: ${JSON.stringify(ran)}`)
      }
    },
  },
  {
    name: 'attack: fork bomb',
    async run(world) {
      const box = await world.open({ pids: 64, memoryMb: 256 })
      const bomb = 'bomb() { bomb | bomb & bomb; }; bomb; sleep 1000'
      const ran = await world.sh(box, `for i in 1 2 3 4; do (while :; do ${bomb}; done) & done; sleep 1000`, {
        timeoutMs: 2000,
        outputBytes: 10_000,
      })
      // The shell itself may give up, as it can't start anything any more.
      assert.ok(ran.how === 'timed_out' || ran.how === 'exited', ran.how)
      assert.ok(ran.reached.includes('processes'), JSON.stringify(ran.reached))
      await box.close()
      assert.deepEqual(world.processes(), [])
      assert.equal((await world.sh(await world.open({ pids: 64 }), 'echo usable')).text, 'usable\n')
    },
  },
  {
    name: 'attack: a full disk by output',
    async run(world) {
      const box = await world.open()
      const ran = await world.sh(box, 'yes flood & yes flood >&2', { timeoutMs: 1500, outputBytes: 50_000 })
      assert.equal(ran.how, 'timed_out')
      assert.ok(ran.text.length < 50_100 && ran.error.length < 50_100)
      assert.ok(ran.cutBytes > 1e6)
      assert.deepEqual(ran.reached, ['output'])
    },
  },
]
