import { expect, it } from 'vitest'
import { readHierarchies } from '../../../../src/process/sandbox/limits/hierarchies.ts'

const mount = (at: string, type: string, options: string, root = '/') =>
  `30 20 0:20 ${root} ${at} rw - ${type} none ${options}`
const first = ['memory', 'pids'].map(name => mount(`/sys/fs/cgroup/${name}`, 'cgroup', `rw,${name}`))
const second = mount('/sys/fs/cgroup', 'cgroup2', 'rw')

it('uses version 1 if version 2 has no controllers', () => {
  const mounts = [...first, mount('/sys/fs/cgroup/unified', 'cgroup2', 'rw')].join('\n')
  const own = '4:memory:/session/1\n8:pids:/\n0::/'
  expect(readHierarchies(mounts, own, folder => !folder.includes('unified'))).toEqual({
    version: 1,
    memory: '/sys/fs/cgroup/memory/session/1',
    pids: '/sys/fs/cgroup/pids',
    roots: ['/sys/fs/cgroup/memory', '/sys/fs/cgroup/pids'],
  })
})

it('goes up in version 2 until a group can be created, within the container', () => {
  const usable = (folder: string) => !folder.endsWith('session.scope')
  expect(readHierarchies(second, '0::/user.slice/session.scope', usable)).toEqual({
    version: 2,
    memory: '/sys/fs/cgroup/user.slice',
    pids: '/sys/fs/cgroup/user.slice',
    roots: ['/sys/fs/cgroup'],
  })
  const inContainer = mount('/sys/fs/cgroup', 'cgroup2', 'rw', '/docker/1')
  expect(readHierarchies(inContainer, '0::/docker/1/init', () => true).memory).toBe('/sys/fs/cgroup/init')
})

it('finds nothing if no group can be created', () => {
  expect(readHierarchies([...first, second].join('\n'), '0::/', () => false)).toMatchObject({
    memory: null,
    pids: null,
  })
})
