import { expect, it } from 'vitest'
import { hostView } from '../../../../src/process/sandbox/bubblewrap/host-folders.ts'
import { needs } from '../../../support/needs.ts'

it('shows folders with programs, and no others', () => {
  needs(process.platform === 'linux', 'only for Linux')
  const { folders } = hostView([], true, '')
  expect(folders).toContain('/usr')
  expect(folders).toContain('/etc')
  expect(folders.filter(folder => /^\/(root|home|run|tmp|work|proc|sys|dev)(\/|$)/.test(folder))).toEqual([])
})

it('hides a project inside a program folder, and shows the rest', () => {
  needs(process.platform === 'linux', 'only for Linux')
  const { folders } = hostView(['/usr/share/project'], false, '')
  expect(folders).not.toContain('/usr')
  expect(folders).not.toContain('/usr/share')
  expect(folders).toContain('/usr/bin')
  expect(folders).toContain('/usr/lib')
})

it('never treats a system folder as a project', () => {
  needs(process.platform === 'linux', 'only for Linux')
  for (const place of ['/', '/usr', '/etc']) expect(hostView([place], false, '').folders).toContain('/usr')
})
