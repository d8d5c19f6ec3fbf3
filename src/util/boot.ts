import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

let thisBoot: string | undefined

/** Changes with every start of the machine: pids, start times and elapsed milliseconds mean nothing beyond it. */
export function bootId(): string {
  thisBoot ??= readBootId()
  return thisBoot
}

function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    // Not kern.boottime, which moves whenever the clock is set.
    return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim()
  }
}
