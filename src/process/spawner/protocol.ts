import type { Exit, SpawnOptions } from '../spawn-group.ts'

/** To the spawner, one JSON document a line. */
export type Request = { readonly id: number } & SpawnOptions

/** From it: `ready` once, then for each request `started` or `refused`, and after `started` an `ended`. */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'started'; readonly id: number; readonly pid: number | null }
  | { readonly kind: 'refused'; readonly id: number; readonly code: string | undefined; readonly message: string }
  | { readonly kind: 'ended'; readonly id: number; readonly exit: Exit }

/** Calls back with each whole line of a stream of text, in whatever pieces it comes. */
export function lineSplitter(onLine: (line: string) => void): (chunk: string) => void {
  let rest = ''
  return chunk => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }
}
