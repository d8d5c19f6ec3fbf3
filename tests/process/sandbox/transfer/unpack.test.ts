import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { unpack } from '../../../../src/process/sandbox/transfer/unpack.ts'
import { temporaryDirectory } from '../../support.ts'

const unpacked = (archive: Buffer, to: string, mostBytes = 1e6, keepsLinks = false) =>
  unpack(Readable.from([archive]), { path: '/app/out', to, mostBytes, keepsLinks })

/** One entry, as tar writes it. */
function entry(name: string, type: string, content = '', target = ''): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write('0000644\0', 100)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  header.write(target, 157)
  header.write('ustar\0', 257)
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  body.write(content)
  return Buffer.concat([header, body])
}

it('unpacks tar archives, including long names and empty files', async () => {
  const dir = temporaryDirectory()
  const long = `${'long-name-'.repeat(20)}.txt`
  mkdirSync(join(dir, 'out/folder'), { recursive: true })
  writeFileSync(join(dir, 'out', long), 'long')
  writeFileSync(join(dir, 'out/folder/empty'), '')
  writeFileSync(join(dir, 'out/large'), 'x'.repeat(70_000))
  symlinkSync('large', join(dir, 'out/link'))
  for (const format of ['gnu', 'pax', 'ustar']) {
    const names = format === 'ustar' ? ['out/folder', 'out/large', 'out/link'] : ['out']
    const archive = execFileSync('tar', ['-C', dir, `--format=${format}`, '-c', ...names], { maxBuffer: 1e8 })
    const to = join(dir, `to-${format}`)
    const { left, bytes } = await unpacked(archive, to)
    expect(left).toEqual([{ path: '/app/out/link', why: 'a link' }])
    expect(readFileSync(join(to, 'large'), 'utf8')).toHaveLength(70_000)
    expect(readdirSync(join(to, 'folder'))).toEqual(['empty'])
    if (format === 'ustar') continue
    expect(readFileSync(join(to, long), 'utf8')).toBe('long')
    expect(bytes).toBe(70_004)
  }
})

it('writes nothing outside, whatever the names and links say', async () => {
  const dir = temporaryDirectory()
  const outside = join(dir, 'outside')
  mkdirSync(outside)
  const archive = Buffer.concat([
    entry('out/../../outside/a', '0', 'evil'),
    entry('/etc/b', '0', 'evil'),
    entry('out/way', '2', '', outside),
    entry('out/way/c', '0', 'evil'),
    entry('out/disk', '4'),
    entry('out/pipe', '6'),
    entry('out/second', '1', '', '/etc/passwd'),
  ])
  const to = join(dir, 'to/deep')
  const { left } = await unpacked(archive, to, 1e6, true)
  expect(readdirSync(outside)).toEqual([])
  expect(existsSync('/etc/b')).toBe(false)
  expect(left.map(({ why }) => why)).toEqual(['a device', 'a pipe', 'a second name of a file'])
})

it('respects its size limit', async () => {
  const to = join(temporaryDirectory(), 'to')
  const archive = Buffer.concat([
    entry('out/small', '0', 'x'),
    entry('out/large', '0', 'x'.repeat(2000)),
    entry('out/z', '0', 'z'),
  ])
  expect(await unpacked(archive, to, 100)).toEqual({
    files: 2,
    bytes: 2,
    left: [{ path: '/app/out/large', why: 'too large (2000 bytes)' }],
  })
})
