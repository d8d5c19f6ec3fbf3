import { join } from 'node:path'
import { expect, it } from 'vitest'
import { findProgram } from '../../../../src/targets/task/agents/find-program.ts'
import { folderWith } from '../../../support/assay.ts'

it('prefers a program to the shim of a version manager, in any order of PATH', () => {
  const folder = folderWith({
    'shims/python3': '#!/bin/sh\nexec pyenv\n',
    'shims/codex': '#!/bin/sh\n',
    'bin/python3': '#!/bin/sh\n',
  })
  const path = `${join(folder, 'shims')}:${join(folder, 'bin')}`
  expect(findProgram('python3', '/', path)).toBe(join(folder, 'bin', 'python3'))
  expect(findProgram('codex', '/', path)).toBe(join(folder, 'shims', 'codex'))
  expect(findProgram('nothing', '/', path)).toBe(null)
})
