import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { folderWith } from '../support/assay.ts'

const program = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))
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
