import { readEndOf } from '../../../util/files.ts'
import type { Limit } from '../box.ts'

/**
 * Limits that a program complains about at the end of its output. If they apply to each process and not to a control
 * group, the kernel refuses memory and new processes without counting: only the program notices.
 */
export function reportedLimits(outputFile: string): readonly Limit[] {
  const text = readEndOf(outputFile, bytesRead)?.end.toString('latin1') ?? ''
  return [
    ...(/MemoryError|cannot allocate memory|memory exhausted|out of memory|ENOMEM/i.test(text)
      ? ['memory' as const]
      : []),
    ...(/cannot fork|resource temporarily unavailable|EAGAIN|can't start new thread/i.test(text)
      ? ['processes' as const]
      : []),
  ]
}

const bytesRead = 20_000
