import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check, World } from '../world.ts'

export const fileChecks: readonly Check[] = [
  {
    name: 'shows a second box what the first one wrote, and nothing of its processes',
    async run(world) {
      const first = await world.open({ initial: [{ source: project(world), target: '/app' }] })
      await world.sh(first, 'echo changed > keep.txt; mkdir -p /data; echo 1 > /data/x', { cwd: '/app' })
      await first.close()
      const second = await world.open()
      const ran = await world.sh(second, 'cat keep.txt')
      assert.deepEqual([ran.text, ran.leftovers], ['changed\n', []])
    },
  },
  {
    name: 'starts a box from the files of another one, which stay as they are',
    async run(world) {
      const [lower, upper] = ['lower', 'upper'].map(name => join(world.dir, name))
      const first = await world.open({ files: lower ?? '', initial: [{ source: project(world), target: '/app' }] })
      await world.sh(first, 'echo changed > keep.txt; rm gone.txt; mkdir made', { cwd: '/app' })
      await first.close()
      const above = await world.open({ files: upper ?? '', beneath: [lower ?? ''] })
      const seen = await world.sh(above, 'cat keep.txt; ls -d gone.txt made; echo tests > keep.txt; rmdir made')
      assert.equal(seen.text, 'changed\nmade\n')
      await above.close()
      const again = await world.open({ files: lower ?? '' })
      assert.equal((await world.sh(again, 'cat keep.txt; ls -d made')).text, 'changed\nmade\n')
    },
  },
  {
    name: 'mounts folders where they are asked for, and keeps those read-only that should be',
    needs: can => can.anyPath,
    async run(world) {
      const [tests, logs] = ['tests', 'logs'].map(name => join(world.dir, name))
      mkdirSync(tests ?? '')
      mkdirSync(logs ?? '', { mode: 0o777 })
      writeFileSync(join(tests ?? '', 'test.sh'), 'echo tested > /logs/result')
      const mounts = [
        { source: tests ?? '', target: '/tests', writable: false },
        { source: logs ?? '', target: '/logs', writable: true },
      ]
      const box = await world.open({ mounts })
      const ran = await world.sh(box, 'sh /tests/test.sh; echo x > /tests/test.sh')
      assert.notEqual(ran.exitCode, 0)
      assert.equal(readFileSync(join(logs ?? '', 'result'), 'utf8'), 'tested\n')
      assert.equal(readFileSync(join(tests ?? '', 'test.sh'), 'utf8'), 'echo tested > /logs/result')
      await box.close()
      const without = await world.open()
      assert.equal((await world.sh(without, 'cat /tests/test.sh')).text, '')
    },
  },
  {
    name: 'tells what changed as a patch that git applies',
    async run(world) {
      const source = project(world)
      const box = await world.open({ initial: [{ source, target: '/app' }] })
      assert.deepEqual(await box.diff({ mostBytes: 1e6 }), { patch: '', left: [] })
      const script = [
        'echo more >> keep.txt',
        'rm gone.txt',
        'mkdir -p "new folder"',
        'echo new > "new folder/a file"',
        'head -c 300 /dev/zero > zeros.bin',
        'chmod +x tool.sh',
        'rm -rf sub; mkdir sub; echo other > sub/other.txt',
        'ln -s keep.txt link',
        'mkdir -p .git; echo x > .git/HEAD',
      ]
      await world.sh(box, script.join(' && '))
      const { patch, left } = await box.diff({ mostBytes: 1e6 })
      assert.deepEqual(left, [])
      assert.doesNotMatch(patch, /\.git\//)
      const copy = join(world.dir, 'copy')
      execFileSync('cp', ['-a', source, copy])
      writeFileSync(join(world.dir, 'patch'), patch)
      execFileSync('git', ['apply', '--whitespace=nowarn', join(world.dir, 'patch')], { cwd: copy })
      const entries = readdirSync(copy, { recursive: true, encoding: 'utf8' }).sort()
      assert.deepEqual(entries, [
        'keep.txt',
        'link',
        'new folder',
        'new folder/a file',
        'sub',
        'sub/other.txt',
        'tool.sh',
        'zeros.bin',
      ])
      assert.equal(readFileSync(join(copy, 'keep.txt'), 'utf8'), 'kept\nmore\n')
      assert.ok((lstatSync(join(copy, 'tool.sh')).mode & 0o100) !== 0)
    },
  },
  {
    name: 'names what is too large for a patch instead of telling half of it',
    async run(world) {
      const box = await world.open()
      await world.sh(box, 'head -c 100000 /dev/zero > large; echo small > small')
      const { patch, left } = await box.diff({ mostBytes: 50_000 })
      assert.match(patch, /small/)
      assert.doesNotMatch(patch, /large/)
      assert.equal(left.length, 1)
      assert.match(left[0]?.path ?? '', /large$/)
    },
  },
  {
    name: 'copies files out, and names links, pipes and what is too large',
    async run(world) {
      const box = await world.open()
      await world.sh(
        box,
        'mkdir out; echo hi > out/a; ln -s /etc/passwd out/l; mkfifo out/p; head -c 9999 /dev/zero > out/z',
      )
      const to = join(world.dir, 'taken')
      const taken = await box.copyOut('/app/out', to, { mostBytes: 1000 })
      assert.deepEqual(readdirSync(to), ['a'])
      assert.deepEqual([taken.files, taken.bytes], [1, 3])
      const reasons = taken.left.map(({ path, why }) => `${path} ${why}`).sort()
      assert.deepEqual(reasons, ['/app/out/l a link', '/app/out/p a pipe', '/app/out/z too large (9999 bytes)'])
      const none = await box.copyOut('/app/nothing', join(world.dir, 'none'), { mostBytes: 10 })
      assert.equal(none.files, 0)
      assert.equal(none.left.length, 1)
      const one = await box.copyOut('/app/out/a', join(world.dir, 'one'), { mostBytes: 10 })
      assert.equal(readFileSync(join(world.dir, 'one'), 'utf8'), 'hi\n')
      assert.equal(one.files, 1)
    },
  },
  {
    name: 'copies files in',
    async run(world) {
      const box = await world.open()
      await box.copyIn(project(world), '/app/deep/er')
      assert.equal((await world.sh(box, 'cat deep/er/sub/inner.txt')).text, 'inner\n')
    },
  },
]

function project(world: World): string {
  const folder = join(world.dir, 'project')
  if (existsSync(folder)) return folder
  mkdirSync(join(folder, 'sub'), { recursive: true })
  writeFileSync(join(folder, 'keep.txt'), 'kept\n')
  writeFileSync(join(folder, 'gone.txt'), 'gone\n')
  writeFileSync(join(folder, 'tool.sh'), 'true\n')
  writeFileSync(join(folder, 'sub/inner.txt'), 'inner\n')
  return folder
}
