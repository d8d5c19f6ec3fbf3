import { useEffect, useState } from 'preact/hooks'
import { usePage } from '../app/context.ts'
import type { KnownRun } from './run-index.ts'

/** The run with its output and model calls: a dashboard fetches these when the run is opened. */
export function useWholeRun(known: KnownRun | undefined): KnownRun | undefined {
  const { wholeRun } = usePage().loaded
  const [whole, setWhole] = useState<KnownRun | null>(null)
  const id = known?.id
  const ended = known?.run.ended_at
  // Not `known` itself, which is a new object whenever another run ends.
  useEffect(() => {
    if (wholeRun === null || known === undefined) return
    let isWanted = true
    wholeRun(known).then(
      found => isWanted && setWhole(found),
      // The dataset's data stays visible.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [id, ended, wholeRun === null])
  return whole?.id === id ? (whole ?? known) : known
}
