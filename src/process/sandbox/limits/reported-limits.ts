import { readEndOf } from '../../../util/files.ts'
import type { Limit } from '../box.ts'

/**
 * Limits that a program complains about at the end of its output. Where they hold for each process and not for a control
 * group, the kernel refuses memory and new processes without counting how often: only the program hears of it.
 */
export function toldLimits(outputFile: string): readonly Limit[] {
  const text = readEndOf(outputFile, lookedAt)?.end.toString('latin1') ?? ''
  return [
    ...(/MemoryError|cannot allocate memory|memory exhausted|out of memory|ENOMEM/i.test(text)
      ? ['memory' as const]
      : []),
    ...(/cannot fork|resource temporarily unavailable|EAGAIN|can't start new thread/i.test(text)
      ? ['processes' as const]
      : []),
  ]
}

const lookedAt = 20_000
