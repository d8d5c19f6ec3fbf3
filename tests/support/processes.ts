import { readdirSync, readFileSync } from 'node:fs'
import { hasProc } from '../../src/process/processes.ts'
import { needsProc } from './needs.ts'

/** Living processes that run for an experiment directory: those with it in their environment. */
export function processesOf(dir: string): number[] {
  needsProc()
  return withEnvironmentOf(dir)
}

function withEnvironmentOf(dir: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => pid !== process.pid && environmentOf(pid).includes(`ASSAY_RUN_DIR=${dir}/`))
}

/** Where there is no /proc, programs of a test that failed may live on. */
export function killProcessesOf(dir: string): void {
  for (const pid of hasProc ? withEnvironmentOf(dir) : [])
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself in between.
    }
}

/** Empty for zombies, kernel threads and processes that have just ended. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
