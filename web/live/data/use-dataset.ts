import { useEffect, useRef, useState } from 'preact/hooks'
import type { Loaded } from '../../data/source.ts'
import { liveSource } from './live-source.ts'

/** Not more often, and where it takes long, so seldom that the page has most of its time for the reader. */
const leastMs = 1000
const leastIdle = 10

export interface DatasetState {
  readonly loaded: Loaded | null
  readonly reason: string | null
}

/** The dataset, fetched anew whenever its version changes. */
export function useDataset(dirs: readonly string[], version: string | null): DatasetState {
  const [state, setState] = useState<DatasetState>({ loaded: null, reason: null })
  const next = useRef(0)
  const key = dirs.join('\n')
  useEffect(() => {
    if (version === null) return
    let isWanted = true
    const load = async (): Promise<void> => {
      const started = performance.now()
      try {
        const loaded = await liveSource(key.split('\n')).load()
        if (isWanted) setState({ loaded, reason: null })
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        if (isWanted) setState(before => ({ ...before, reason }))
      }
      const ended = performance.now()
      next.current = ended + Math.max(leastMs, leastIdle * (ended - started))
    }
    const timer = setTimeout(() => void load(), Math.max(0, next.current - performance.now()))
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key, version])
  return state
}
