import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSource } from '../../src/define/read-files.ts'
import { errorOf, folderWith } from './example.ts'

const read = (file: string, content: string | Uint8Array) => readSource(file, folderWith({ [file]: content }))

const sameExperiment = {
  'a.yaml': 'name: x\nlimits:\n  jobs: 2.0\nlist: [a, { b: 1 }]\n',
  'a.json': '{ "name": "x",\n  "limits": {\n    "jobs": 2.0 },\n  "list": ["a", { "b": 1 }] }',
  'a.jsonc': '{ "name": "x", // why\n  "limits": {\n    "jobs": 2.0, },\n  "list": ["a", { "b": 1 }] }',
  'a.toml': 'name = "x"\nlist = ["a", { b = 1 }]\n[limits]\njobs = 2.0\n',
}

describe.each(Object.entries(sameExperiment))('%s', (file, content) => {
  test('is read as plain data', () => {
    expect(read(file, content).value).toEqual({ name: 'x', limits: { jobs: 2 }, list: ['a', { b: 1 }] })
  })

  test('gives the line of a value', () => {
    const line = content.split('\n').findIndex(text => text.includes('jobs')) + 1
    expect(read(file, content).positionOf(['limits', 'jobs'])?.line).toBe(line)
  })

  test('gives the place of the enclosing map for a missing key', () => {
    const line = content.split('\n').findIndex(text => text.includes('limits')) + 1
    const position = read(file, content).positionOf(['limits', 'timeout'])
    // YAML's block map begins on the line of its first key.
    expect(position?.line).toBeGreaterThanOrEqual(line)
    expect(position?.line).toBeLessThanOrEqual(line + 1)
  })
})

test.each(['a.yaml', 'a.json'] as const)('%s keeps the spelling of a number', file => {
  expect(read(file, sameExperiment[file]).spellingOf(['limits', 'jobs'])).toBe('2.0')
})

test('positions are those of an editor', () => {
  const source = read('a.yaml', 'a: 1\nb:\n  - c: two\n')
  expect(source.positionOf(['b', 0, 'c'])).toEqual({ line: 3, column: 8 })
  expect(source.positionOf(['b', 0, 'c'], 'key')).toEqual({ line: 3, column: 5 })
})

test('an alias has the place of its anchor', () => {
  expect(read('a.yaml', 'a: &x { n: 1 }\nb: *x\n').positionOf(['b', 'n'])).toEqual({ line: 1, column: 12 })
})

test('tables of a TOML list are counted', () => {
  const source = read('a.toml', '[[runs]]\na = 1\n[[runs]]\na = 2\n[runs.limits]\nb = 3\n')
  expect(source.positionOf(['runs', 1, 'a'])).toEqual({ line: 4, column: 5 })
  expect(source.positionOf(['runs', 1, 'limits', 'b'])).toEqual({ line: 6, column: 5 })
})

test('text in a TOML string is not mistaken for keys', () => {
  expect(read('a.toml', 'a = """\nb = 1\n"""\nb = 2\n').positionOf(['b'])?.line).toBe(4)
})

describe('refuses with the place', () => {
  test.each([
    ['a.yaml', 'a: [1\nb: 2', 'a.yaml:2:1  malformed YAML'],
    ['a.yaml', 'a: {b: 1\nc: 2', 'a.yaml:2:1  malformed YAML: a map that began with { has no } before this'],
    ['a.yaml', 'a: 1\na: 2', 'a.yaml:2:1  the key "a" is written twice'],
    ['a.yaml', 'a: { "b c": 1, "b c": 2 }', 'a.yaml:1:16  the key "b c" is written twice'],
    [
      'a.yaml',
      'name: x\n  target:\n    kind: command',
      'a.yaml:2:3  malformed YAML: this line is indented too far: "target" continues the text above it',
    ],
    ['a.yaml', 'a:\n  b: 1\n c: 2', 'a.yaml:3:1  malformed YAML: this line is not indented like the others of its map'],
    ['a.yaml', 'a: b: c', 'a.yaml:1:4  malformed YAML: a text with ": " in it needs quotes'],
    ['a.yaml', 'a: 1\n---\nb: 2', 'a.yaml:2:1  malformed YAML: Source contains multiple documents'],
    ['a.yaml', 'a: .inf', 'a.yaml:1:4  a: expected a finite number, got Infinity'],
    ['a.yaml', 'a:\n  __proto__: 1', 'a.yaml:2:3  a.__proto__: this name is reserved'],
    ['a.yaml', '# nothing\n', 'a.yaml  the file is empty'],
    ['a.yaml', '  \n', 'a.yaml  the file is empty'],
    ['a.json', '{"a": 1,}', 'a.json:1:9  malformed JSON'],
    ['a.json', '{"a": 1 // no\n}', 'a.json:1:9  malformed JSON: invalid comment token'],
    ['a.json', '{"a": 1,\n "a": 2}', 'a.json:2:2  the key "a" is written twice'],
    ['a.json', '{"a": 1e999}', 'a.json:1:7  a: expected a finite number'],
    ['a.toml', 'a = 1\nb = = 2', 'a.toml:2:5  malformed TOML'],
    ['a.toml', 'a = 1\n"a" = 2', 'a.toml:2:1  the key "a" is written twice'],
    ['a.toml', '[a]\nb = 1\n[a]\nc = 2', 'a.toml:3:2  the key "a" is written twice'],
    ['a.toml', '[a]\nb = 1\nb.c = 2', 'a.toml:3:1  the key "b.c" is written twice, or is part of one that has a value'],
    ['a.toml', 'a = "x\nb = 1', 'a.toml:1:7  malformed TOML: this text has no closing quote'],
    ['a.toml', 'a = "x', 'a.toml:1:5  malformed TOML: this text has no closing quote'],
    ['a.toml', 'a = x', 'a.toml:1:5  malformed TOML: text needs quotes'],
    ['a.yaml', 'a:1\nb: 2', 'a.yaml:1:1  malformed YAML: a key needs ": " after it, with the space'],
    [
      'a.json',
      '{"a": 1,}',
      'malformed JSON: property name expected; comments and commas at the end are for files called .jsonc',
    ],
    ['a.toml', 'a = "x\u0001y"', 'a.toml:1:7  malformed TOML: control characters are not allowed in strings'],
    ['a.toml', 'a = 1\na = 2', 'a.toml:2:'],
  ])('%s with %j', (file, content, message) => {
    const error = errorOf(() => read(file, content))
    expect(error.code).toBe('config')
    expect(error.message).toContain(message)
  })

  test('a missing file', () => {
    expect(errorOf(() => readSource('nope.yaml', folderWith({})))).toMatchObject({ code: 'not_found' })
  })

  test('a directory', () => {
    const folder = folderWith({})
    mkdirSync(join(folder, 'a.yaml'))
    expect(errorOf(() => readSource('a.yaml', folder)).message).toBe('a.yaml: is a directory, expected a file')
  })

  test('text that is not UTF-8', () => {
    const error = errorOf(() => read('a.yaml', new Uint8Array([0x61, 0x3a, 0x20, 0xff])))
    expect(error).toMatchObject({ code: 'config', message: 'a.yaml:1: is not UTF-8 text' })
    const later = Buffer.concat([Buffer.from('\ufeffa: ü\nb: \ufffd\nc: '), Buffer.from([0xe9, 0x0a])])
    expect(errorOf(() => read('b.yaml', later)).message).toBe('b.yaml:3: is not UTF-8 text')
  })

  test('an unknown file ending', () => {
    expect(errorOf(() => read('a.txt', 'x')).message).toContain('expected a .yaml, .json, .jsonc or .toml file')
  })

  test('an unreadable file', ({ skip }) => {
    if (process.getuid?.() === 0) return skip('root may read every file')
    const folder = folderWith({ 'a.yaml': 'a: 1' })
    chmodSync(join(folder, 'a.yaml'), 0)
    expect(errorOf(() => readSource('a.yaml', folder)).code).toBe('config')
  })
})

test('a byte order mark is not part of the text', () => {
  expect(read('a.json', '\uFEFF{"a": 1}').value).toEqual({ a: 1 })
})
