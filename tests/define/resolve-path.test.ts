import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resolvePath } from '../../src/define/read-files.ts'
import { folderWith } from './example.ts'

const cwd = folderWith({ 'sub/both': '', both: '', only: '' })
const places = { folder: join(cwd, 'sub'), cwd }

test.each([
  ['both', join(cwd, 'sub/both')],
  ['only', join(cwd, 'only')],
  ['none', join(cwd, 'sub/none')],
  ['/absolute', '/absolute'],
])('%s', (path, resolved) => expect(resolvePath(path, places)).toBe(resolved))
