import { existsSync, readFileSync, watch } from 'node:fs'
import { dirname } from 'node:path'

/** Resolves as soon as a file is there; its folder must be there already. */
export async function appeared(file: string): Promise<void> {
  const watcher = watch(dirname(file))
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (existsSync(file)) resolve()
      }
      watcher.on('change', look).on('error', reject)
      look()
    })
  } finally {
    watcher.close()
  }
}

export const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []

export const jsonOf = <T = Record<string, unknown>>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T
