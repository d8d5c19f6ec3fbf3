import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../support/assay.ts'

const dist = join(import.meta.dirname, '../../dist')

/** A program on this Node, which says that it is another one before the library looks. */
function say(program: string, version: string | null) {
  const pretend = version === null ? '' : `Object.defineProperty(process.versions, 'node', { value: '${version}' })\n`
  const cwd = folderWith({ 'pretend.cjs': pretend })
  const kind = program.includes('require(') ? 'commonjs' : 'module'
  return spawnSync(process.execPath, ['-r', './pretend.cjs', `--input-type=${kind}`, '-e', program], {
    cwd,
    encoding: 'utf8',
  })
}

const imports = `import('${dist}/entry.js').then(library => console.log(typeof library.openSearch), error => console.log(error.message))`
const requires = `try { console.log(typeof require('${dist}/entry.cjs').openSearch) } catch (error) { console.log(error.message) }`

test.each([
  ['import', imports],
  ['require', requires],
])('%s on an old Node names the required version, and works on a new one', (_, program) => {
  const needed = 'assay needs Node 22.18 or newer; this is Node'
  expect(say(program, '20.20.2').stdout).toBe(`${needed} 20.20.2. Install a newer Node (24 is best).\n`)
  expect(say(program, '22.17.1').stdout).toContain(`${needed} 22.17.1`)
  expect(say(program, null).stdout).toBe('function\n')
})

test('an import by package name gives the same objects as the bundle', async () => {
  const [entry, index] = await Promise.all([import(join(dist, 'entry.js')), import(join(dist, 'index.js'))])
  expect(Object.keys(entry).sort()).toEqual(Object.keys(index).sort())
  expect(entry.run).toBe(index.run)
})
