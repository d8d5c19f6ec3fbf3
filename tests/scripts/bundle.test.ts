import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { folderWith } from '../support/assay.ts'
import { redisProgram, startRedis } from '../support/queue-servers.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const program = join(root, 'bin/assay.mjs')
const listing = join(import.meta.dirname, '../fixtures/list-modules.mjs')

// Node takes half a millisecond for each.
it.each([['plan'], ['status', 'nothing'], ['compare', 'nothing'], ['report', 'nothing']])(
  'assay %s reads few files',
  (...args) => {
    const cwd = folderWith({ 'experiment.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\n' })
    const { stderr } = spawnSync(process.execPath, ['--import', listing, program, ...args], { cwd, encoding: 'utf8' })
    const modules = stderr.split('\n').filter(line => line.startsWith('module '))
    expect(modules.length).toBeGreaterThan(1)
    expect(modules.length, modules.join('\n')).toBeLessThan(30)
  },
)

it('a coordinator reads few files besides', async ({ skip }) => {
  if (redisProgram() === null) return skip('redis is not installed')
  const server = await startRedis()
  try {
    const cwd = folderWith({ 'experiment.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\n' })
    const list = ['--import', listing, program]
    const { stdout } = spawnSync(process.execPath, [program, 'run'], { cwd, encoding: 'utf8' })
    expect(stdout).toContain('1 run')
    const { stderr } = spawnSync(process.execPath, [...list, 'run', '--queue', server.address], {
      cwd,
      encoding: 'utf8',
    })
    const modules = stderr.split('\n').filter(line => line.startsWith('module '))
    expect(modules.length).toBeGreaterThan(1)
    expect(modules.length, modules.join('\n')).toBeLessThan(60)
  } finally {
    await server.stop()
  }
})

it('every file of the bundle is ASCII, since any other character doubles its memory', () => {
  const others = globSync('dist/*.js', { cwd: root }).filter(file =>
    /[^\0-\x7f]/.test(readFileSync(join(root, file), 'latin1')),
  )
  expect(others).toEqual([])
})
