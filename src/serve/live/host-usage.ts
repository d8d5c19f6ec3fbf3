import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, freemem, hostname, loadavg, totalmem } from 'node:os'
import type { HostUsage } from '../wire.ts'

/** Measures the machine; each measurement covers the time since the last. */
export class HostWatch {
  #last = cpuTimes()
  #share: number | null = null
  #measuredAt = performance.now()

  look(): HostUsage {
    // Several readers must not shorten each other's interval: a share over a few milliseconds says nothing.
    if (performance.now() - this.#measuredAt > 900) {
      const now = cpuTimes()
      const all = now.all - this.#last.all
      if (all > 0) this.#share = Math.min(1, Math.max(0, 1 - (now.idle - this.#last.idle) / all))
      this.#last = now
      this.#measuredAt = performance.now()
    }
    return {
      name: hostname(),
      cores: availableParallelism(),
      cpu: this.#share,
      load: loadavg()[0] ?? 0,
      memory_used_bytes: totalmem() - availableBytes(),
      memory_total_bytes: totalmem(),
    }
  }
}

function cpuTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map(cpu => cpu.times)
  const idle = times.reduce((sum, time) => sum + time.idle, 0)
  return { idle, all: times.reduce((sum, time) => sum + time.user + time.nice + time.sys + time.irq, idle) }
}

/** Memory that programs could get: free memory alone leaves out Linux's file cache. */
function availableBytes(): number {
  try {
    const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]
    return kilobytes === undefined ? freemem() : Number(kilobytes) * 1024
  } catch {
    return freemem()
  }
}
