import { useEffect, useRef, useState } from 'preact/hooks'
import type { Loaded } from '../../data/source.ts'
import { liveSource } from './live-source.ts'

/** The shortest interval; if fetching is slow, the interval is long enough to keep the page responsive. */
const leastMs = 1000
const leastIdle = 10

export interface DatasetState {
  readonly loaded: Loaded | null
  readonly reason: string | null
}

/**
 * The dataset, fetched again whenever its version changes. One fetch at a time, and each is shown: if fetching took
 * longer than a run, an update would otherwise never be shown.
 */
export function useDataset(dirs: readonly string[], version: string | null): DatasetState {
  const [state, setState] = useState<DatasetState>({ loaded: null, reason: null })
  const wanted = useRef(version)
  const look = useRef(() => {})
  const key = dirs.join('\n')
  useEffect(() => {
    let isOver = false
    let isBusy = false
    let known: string | null = null
    let next = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async (): Promise<DatasetState | null> => {
      try {
        return { loaded: await liveSource(key.split('\n')).load(), reason: null }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return isOver ? null : { loaded: null, reason }
      }
    }
    const turn = async (): Promise<void> => {
      clearTimeout(timer)
      if (isOver || isBusy || wanted.current === null || wanted.current === known) return
      const started = performance.now()
      if (started < next) {
        timer = setTimeout(() => void turn(), next - started)
        return
      }
      isBusy = true
      known = wanted.current
      const found = await load()
      isBusy = false
      if (isOver || found === null) return
      setState(before => ({ loaded: found.loaded ?? before.loaded, reason: found.reason }))
      const ended = performance.now()
      next = ended + Math.max(leastMs, leastIdle * (ended - started))
      void turn()
    }
    look.current = () => void turn()
    void turn()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [key])
  useEffect(() => {
    wanted.current = version
    look.current()
  }, [version])
  return state
}
