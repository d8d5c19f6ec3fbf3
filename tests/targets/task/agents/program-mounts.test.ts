import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { programInBox } from '../../../../src/targets/task/agents/program-mounts.ts'
import { folderWith } from '../../../support/assay.ts'

const node = '#!/usr/bin/env node\n'
const binary = '\x7fELF'

/** A home folder with these programs, and links to them. */
function home(programs: Readonly<Record<string, string>>, links: Readonly<Record<string, string>> = {}) {
  const folder = folderWith()
  const at = (path: string) => join(folder, path)
  for (const [path, text] of Object.entries(programs)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
    chmodSync(at(path), 0o755)
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(at(path)), { recursive: true })
    symlinkSync(target, at(path))
  }
  return { at, shown: (path: string) => ({ source: at(path), target: at(path), writable: false }) }
}

describe('the files of a program shown in a box', () => {
  it('in node_modules/.bin: all packages, and the Node that comes first in PATH', () => {
    const { at, shown } = home(
      { 'app/node_modules/@openai/codex/bin/codex.js': node, 'nvm/v24/bin/node': binary },
      { 'app/node_modules/.bin/codex': '../@openai/codex/bin/codex.js' },
    )
    expect(programInBox(at('app/node_modules/.bin/codex'), at('nvm/v24/bin'))).toEqual({
      argv: [at('nvm/v24/bin/node'), at('app/node_modules/@openai/codex/bin/codex.js')],
      mounts: [shown('app/node_modules'), shown('nvm/v24/bin/node')],
    })
  })

  it('of a global prefix, as nvm has it: the packages that are installed there', () => {
    const { at, shown } = home(
      { 'nvm/v24/lib/node_modules/@openai/codex/bin/codex.js': node, 'nvm/v24/bin/node': binary },
      { 'nvm/v24/bin/codex': '../lib/node_modules/@openai/codex/bin/codex.js' },
    )
    const { argv, mounts } = programInBox(at('nvm/v24/bin/codex'), at('nvm/v24/bin'))
    expect(argv).toEqual([at('nvm/v24/bin/node'), at('nvm/v24/lib/node_modules/@openai/codex/bin/codex.js')])
    expect(mounts).toEqual([shown('nvm/v24/lib/node_modules'), shown('nvm/v24/bin/node')])
  })

  it('a binary behind a link: only that file, under the name of the link', () => {
    const { at } = home({ 'share/claude/2.1.0': binary }, { 'bin/claude': '../share/claude/2.1.0' })
    expect(programInBox(at('bin/claude'), '')).toEqual({
      argv: [at('bin/claude')],
      mounts: [{ source: at('share/claude/2.1.0'), target: at('bin/claude'), writable: false }],
    })
  })

  it('a program of a Python environment: the environment, and the library of a non-system Python', () => {
    const { at, shown } = home(
      {
        'pipx/venvs/aider/pyvenv.cfg': '',
        'uv/python/bin/python3.12': binary,
        'uv/python/lib/python3.12/os.py': '',
      },
      {
        'bin/aider': '../pipx/venvs/aider/bin/aider',
        'pipx/venvs/aider/bin/python': '../../../../uv/python/bin/python3.12',
      },
    )
    writeFileSync(at('pipx/venvs/aider/bin/aider'), `#!${at('pipx/venvs/aider/bin/python')}\n`, { mode: 0o755 })
    expect(programInBox(at('bin/aider'), '')).toEqual({
      argv: [at('pipx/venvs/aider/bin/aider')],
      mounts: [shown('pipx/venvs/aider'), shown('uv/python')],
    })
  })

  it('not the shim of a version manager, but the program behind it', () => {
    const { at } = home(
      { 'lib/node_modules/codex/codex.js': node, 'shims/node': '#!/bin/sh\n', 'v24/node': binary },
      { 'bin/codex': '../lib/node_modules/codex/codex.js' },
    )
    const { argv } = programInBox(at('bin/codex'), `${at('shims')}:${at('v24')}`)
    expect(argv).toEqual([at('v24/node'), at('lib/node_modules/codex/codex.js')])
  })

  it('a script of a program of the system: nothing else', () => {
    const { at, shown } = home({ 'agent.sh': '#!/bin/sh\n' })
    expect(programInBox(at('agent.sh'), '/usr/bin:/bin')).toEqual({
      argv: [at('agent.sh')],
      mounts: [shown('agent.sh')],
    })
    expect(programInBox('/bin/sh', '/bin')).toEqual({ argv: ['/bin/sh'], mounts: [] })
  })
})
