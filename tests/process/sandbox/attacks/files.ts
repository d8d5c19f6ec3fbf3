import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../world.ts'

export const fileAttacks: readonly Check[] = [
  {
    name: 'attack: reading tests and solutions that are not mounted',
    async run(world) {
      const secret = join(world.dir, 'solution.txt')
      writeFileSync(secret, 'the answer')
      const box = await world.open()
      const places = [secret, join(world.dir, 'files'), import.meta.filename, process.cwd()]
      for (const place of [...places, '/root/.ssh', '/root/.cache', '/run/user', '/var/run/docker.sock']) {
        const ran = await world.sh(box, `ls -a "${place}" && cat "${place}" && exit 0; exit 1`)
        assert.notEqual(ran.exitCode, 0, `${place} is visible: ${ran.text}`)
        assert.match(ran.error, /No such file|cannot access|Not a directory/)
      }
      const everywhere = await world.sh(box, 'ls -A /home /root /tmp /proc/1/root/tmp /run /mnt /srv /var/log /sys')
      assert.equal(everywhere.text.replaceAll(/^(\/[\w/]+:)?\n/gm, ''), '')
    },
  },
  {
    name: 'attack: reading the variables and passwords of the host',
    async run(world) {
      const box = await world.open({ env: { GIVEN: 'yes' } })
      const ran = await world.sh(box, 'env; cat /proc/*/environ | tr "\\0" "\\n"')
      const names = new Set(ran.text.split('\n').flatMap(line => /^(\w+)=/.exec(line)?.[1] ?? []))
      const expected = ['ASSAY_ATTEMPT', 'GIVEN', 'HOME', 'LANG', 'PATH', 'PWD', 'OLDPWD', 'SHLVL', '_']
      assert.deepEqual(
        [...names].filter(name => !expected.includes(name)),
        [],
      )
      const shadow = await world.sh(box, 'cat /etc/shadow /etc/gshadow')
      assert.doesNotMatch(shadow.text, /:\$|:!\$/)
      const keys = await world.sh(box, 'cat /etc/ssh/*key /etc/ssl/private/* /etc/sudoers')
      assert.equal(keys.text, '')
    },
  },
  {
    name: 'attack: writing outside',
    async run(world) {
      const name = `assay-attack-${randomUUID()}`
      const mounted = join(world.dir, 'mounted')
      mkdirSync(mounted)
      writeFileSync(join(mounted, 'file'), 'as it was')
      const before = readFileSync('/etc/passwd', 'utf8')
      const box = await world.open({ mounts: [{ source: mounted, target: '/given', writable: false }] })
      const places = ['/usr', '/usr/bin', '/etc', '/opt', '/tmp', '/var/tmp', '/root', '/', '/dev/shm']
      await world.sh(box, places.map(place => `echo x > ${place}/${name}`).join('; '))
      await world.sh(box, 'echo evil >> /etc/passwd; rm -f /usr/bin/env /etc/hostname')
      const given = await world.sh(
        box,
        'echo x > /given/file; rm -f /given/file; mount -o remount,rw /given; echo x > /given/file',
      )
      assert.notEqual(given.exitCode, 0)
      assert.match(given.error, /Read-only file system/)
      assert.equal(readFileSync(join(mounted, 'file'), 'utf8'), 'as it was')
      assert.deepEqual(
        places.filter(place => existsSync(`${place}/${name}`)),
        [],
      )
      assert.equal(readFileSync('/etc/passwd', 'utf8'), before)
      assert.ok(existsSync('/usr/bin/env'))
    },
  },
  {
    name: 'attack: links, devices and sockets in what comes out',
    async run(world) {
      const box = await world.open()
      const script = [
        'mkdir out; echo fine > out/fine; ln -s /etc out/etc; ln -s / out/root; mkfifo out/pipe',
        'mknod out/disk b 8 0; mknod out/null c 1 3; mknod out/zero c 1 5; cp -a /dev/null out/copied',
        'ln -s ../../../../../../etc/passwd out/passwd',
      ]
      await world.sh(box, script.join('; '))
      const to = join(world.dir, 'out')
      const taken = await box.copyOut('/app/out', to, { mostBytes: 1e6 })
      assert.deepEqual(readdirSync(to), ['fine'])
      const named = taken.left.map(({ path }) => path)
      for (const name of ['etc', 'root', 'pipe', 'passwd']) assert.ok(named.includes(`/app/out/${name}`), name)
      for (const path of [
        '/app/out/etc/passwd',
        '/app/out/root/etc/passwd',
        '/app/out/passwd',
        '/app/../../etc/shadow/x',
      ]) {
        const answer = await box.copyOut(path, join(world.dir, 'behind'), { mostBytes: 1e6 })
        assert.equal(answer.files, 0, path)
        assert.equal(answer.left.length, 1, path)
      }
      const endless = await box.copyOut('/dev/zero', join(world.dir, 'zero'), { mostBytes: 1e6 })
      assert.equal(endless.files, 0)
    },
  },
  {
    name: 'attack: links where files are put in',
    async run(world) {
      const target = join(world.dir, 'precious')
      mkdirSync(target)
      writeFileSync(join(target, 'file'), 'precious')
      const source = join(world.dir, 'source')
      writeFileSync(source, 'put in')
      const box = await world.open()
      await world.sh(box, `ln -s "${target}" folder; ln -s "${target}/file" file; ln -s /etc/hostname host`)
      for (const path of ['/app/folder/file', '/app/file', '/app/host']) await box.copyIn(source, path)
      assert.equal(readFileSync(join(target, 'file'), 'utf8'), 'precious')
      assert.deepEqual(readdirSync(target), ['file'])
      assert.equal((await world.sh(box, 'cat folder/file file host')).text, 'put input input in')
    },
  },
  {
    name: 'attack: a link where the tests will be mounted',
    async run(world) {
      const tests = join(world.dir, 'tests')
      mkdirSync(tests)
      writeFileSync(join(tests, 'test'), 'real')
      for (const [index, link] of ['/app/fake', '../oldroot/fake', '/etc', 'app/fake'].entries()) {
        const files = join(world.dir, `files-${index}`)
        const first = await world.open({ files })
        await world.sh(
          first,
          `mkdir -p fake /oldroot/fake; echo fake | tee fake/test > /oldroot/fake/test; ln -s ${link} /tests`,
        )
        await first.close()
        const mounts = [{ source: tests, target: '/tests', writable: false }]
        const second = await world.open({ files, mounts })
        assert.equal((await world.sh(second, 'cat /tests/test')).text, 'real', link)
        await second.close()
      }
    },
  },
  {
    name: 'attack: a patch made of links to the host',
    async run(world) {
      const project = join(world.dir, 'project')
      mkdirSync(project)
      writeFileSync(join(project, 'file'), 'text\n')
      const secret = join(world.dir, 'secret.txt')
      writeFileSync(secret, 'a secret of the host\n')
      symlinkSync(secret, join(project, 'own-link'))
      const box = await world.open({ initial: [{ source: project, target: '/app' }] })
      await world.sh(box, `rm file; ln -s "${secret}" file; ln -s "${world.dir}" folder; mkfifo pipe`)
      const { patch, left } = await box.diff({ mostBytes: 1e6 })
      assert.doesNotMatch(patch, /a secret of the host/)
      assert.match(patch, /new file mode 120000/)
      assert.deepEqual(left, [{ path: 'pipe', why: 'a pipe' }])
      await box.close()
    },
  },
]
