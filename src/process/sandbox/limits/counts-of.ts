import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Counts } from './cgroups.ts'

/** How often the limits of a process's group were reached; 0 if that is not visible. */
export function countsOf(pid: number, folder = '/sys/fs/cgroup'): Counts {
  const groups = read(`/proc/${pid}/cgroup`)
    .split('\n')
    .map(line => line.split(':'))
  const places = groups.flatMap(([, controllers = '', ...path]) => {
    const at = path.join(':')
    return controllers === ''
      ? [join(folder, at), join(folder, 'unified', at)]
      : controllers.split(',').map(name => join(folder, name, at))
  })
  const highest = (files: readonly string[], key: string): number =>
    Math.max(0, ...places.flatMap(place => files.map(file => countIn(read(join(place, file)), key))))
  return {
    memory: highest(['memory.oom_control', 'memory.events'], 'oom_kill'),
    processes: highest(['pids.events'], 'max'),
  }
}

const countIn = (text: string, key: string): number => Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
