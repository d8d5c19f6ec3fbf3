import { execFileSync } from 'node:child_process'
import type { ServerHost } from './queue-servers.ts'

/** Which way nothing gets through: from the machine to the hub, or from the hub to the machine. */
export type Direction = 'out' | 'in'

/** A hub and two machines, each a namespace of the network, with a cable from each machine to the hub. */
export interface Network {
  readonly hub: ServerHost
  /** The same command on the hub (0) or a machine (1, 2). */
  on(host: number, command: readonly string[]): readonly string[]
  /** Drops packets in that direction silently, like a firewall or a broken line. */
  cut(machine: number, direction: Direction): void
  heal(machine: number, direction: Direction): void
  remove(): void
}

/** null: this machine or user can't have one (it takes root, and `ip` and `tc` of iproute2). */
export function makeNetwork(): Network | null {
  const id = process.pid
  const hosts = [0, 1, 2].map(at => `assay-${id}-${at}`)
  const address = (machine: number, end: 'hub' | 'machine') => `10.77.${machine}.${end === 'hub' ? 1 : 2}`
  const device = (machine: number, end: 'hub' | 'machine') => `as${id}-${machine}${end[0]}`
  const ip = (...args: string[]) => execFileSync('ip', args, { stdio: 'ignore' })
  const remove = () => {
    for (const host of hosts)
      try {
        ip('netns', 'del', host)
      } catch {
        // It was not made.
      }
  }
  const side = (machine: number, direction: Direction) => {
    const end = direction === 'out' ? 'machine' : 'hub'
    return { host: hosts[end === 'hub' ? 0 : machine] ?? '', device: device(machine, end) }
  }
  const tc = (machine: number, direction: Direction, ...args: string[]) => {
    const { host, device: dev } = side(machine, direction)
    const [what = '', ...more] = args
    ip('netns', 'exec', host, 'tc', 'qdisc', what, 'dev', dev, 'root', ...more)
  }
  const network: Network = {
    hub: { enter: ['ip', 'netns', 'exec', hosts[0] ?? ''], address: '10.77.0.1', network: '10.77.0.0/16' },
    on: (host, command) => ['ip', 'netns', 'exec', hosts[host] ?? '', ...command],
    // A queue without places drops everything.
    cut: (machine, direction) => void tc(machine, direction, 'add', 'pfifo', 'limit', '0'),
    heal: (machine, direction) => void tc(machine, direction, 'del'),
    remove,
  }
  try {
    for (const host of hosts) {
      ip('netns', 'add', host)
      ip('-n', host, 'link', 'set', 'lo', 'up')
    }
    ip('-n', hosts[0] ?? '', 'addr', 'add', '10.77.0.1/32', 'dev', 'lo')
    for (const machine of [1, 2]) {
      const ends = (['hub', 'machine'] as const).map(end => ({ end, host: hosts[end === 'hub' ? 0 : machine] ?? '' }))
      const [hub, far] = ends.map(({ end, host }) => ({ name: device(machine, end), host }))
      const peer = ['peer', 'name', far?.name ?? '', 'netns', far?.host ?? '']
      ip('link', 'add', hub?.name ?? '', 'netns', hub?.host ?? '', 'type', 'veth', ...peer)
      for (const { end, host } of ends) {
        ip('-n', host, 'addr', 'add', `${address(machine, end)}/24`, 'dev', device(machine, end))
        ip('-n', host, 'link', 'set', device(machine, end), 'up')
      }
      ip('-n', hosts[machine] ?? '', 'route', 'add', '10.77.0.1/32', 'via', address(machine, 'hub'))
      for (const direction of ['out', 'in'] as const) {
        network.cut(machine, direction)
        network.heal(machine, direction)
      }
    }
    return network
  } catch {
    remove()
    return null
  }
}
