import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { foreignFormat } from '../../../src/targets/command/foreign-program.ts'
import { folderWith } from '../../support/assay.ts'

const linux = { platform: 'linux', arch: 'x64' } as const
const mac = { platform: 'darwin', arch: 'arm64' } as const

/** The first bytes of a program, filled up with zeros. */
const heads = {
  machOArm64: 'cffaedfe0c000001',
  machOX64: 'cffaedfe07000001',
  fat: 'cafebabe00000002',
  java: 'cafebabe00000041',
  elfX64: '7f454c46020101000000000000000000 03003e00',
  elfX86: '7f454c46010101000000000000000000 03000300',
  elfArm64: '7f454c46020101000000000000000000 0300b700',
  elfS390: '7f454c46020201000000000000000000 00030016',
  windows: '4d5a90000300',
  script: '23212f62696e2f7368',
}

test.each([
  ['machOArm64', linux, 'Mach-O (macOS, arm64)'],
  ['machOX64', linux, 'Mach-O (macOS, x64)'],
  ['fat', linux, 'Mach-O (macOS)'],
  ['java', linux, null],
  ['elfX64', linux, null],
  ['elfX86', linux, null],
  ['elfArm64', linux, 'ELF (arm64)'],
  ['elfS390', linux, 'ELF (s390x)'],
  ['windows', linux, 'PE (Windows)'],
  ['script', linux, null],
  ['machOX64', mac, null],
  ['elfX64', mac, 'ELF (x64)'],
] as const)('%s on %o is %s', (name, machine, expected) => {
  const file = join(folderWith(), 'program')
  const bytes = Buffer.from(heads[name].replaceAll(' ', ''), 'hex')
  writeFileSync(file, Buffer.concat([bytes, Buffer.alloc(64)]))
  expect(foreignFormat(file, machine, '/nowhere')).toBe(expected)
})

test('a file that Linux passes to an interpreter is not foreign', () => {
  const arm64 = 'enabled\ninterpreter /usr/bin/qemu-aarch64\nflags: OCF\noffset 0\n'
  const magic = 'magic 7f454c460201010000000000000000000200b700\nmask ffffffffffffff00fffffffffffffffffeffffff\n'
  const folder = folderWith({
    'handlers/status': 'enabled\n',
    'handlers/python3.11': 'enabled\ninterpreter /usr/bin/python3.11\nflags: \noffset 0\nmagic a70d0d0a\n',
    'handlers/qemu-aarch64': arm64 + magic,
    'off/qemu-aarch64': (arm64 + magic).replace('enabled', 'disabled'),
  })
  const formatIn = (handlers: string, head: string) => {
    writeFileSync(
      join(folder, 'program'),
      Buffer.concat([Buffer.from(head.replaceAll(' ', ''), 'hex'), Buffer.alloc(64)]),
    )
    return foreignFormat(join(folder, 'program'), linux, join(folder, handlers))
  }
  expect(formatIn('handlers', heads.elfArm64)).toBeNull()
  expect(formatIn('handlers', heads.machOArm64)).toBe('Mach-O (macOS, arm64)')
  expect(formatIn('off', heads.elfArm64)).toBe('ELF (arm64)')
})

test('a missing, empty or very short file has no format', () => {
  const folder = folderWith({ empty: '', short: 'MZ' })
  for (const name of ['none', 'empty', 'short']) expect(foreignFormat(join(folder, name), linux)).toBeNull()
})

test('the program that runs the tests is executable here', () => expect(foreignFormat(process.execPath)).toBeNull())
