import { existsSync, realpathSync } from 'node:fs'

/** Files for name resolution: often links into /run, which a box does not show, or mounted over what an overlay sees. */
export function networkFiles(): readonly string[] {
  const files = ['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'].filter(file => existsSync(file))
  return [...new Set(files.map(file => realpathSync(file)))]
}
