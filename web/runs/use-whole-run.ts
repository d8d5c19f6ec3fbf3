import { useEffect, useState } from 'preact/hooks'
import { usePage } from '../app/context.ts'
import type { KnownRun } from './run-index.ts'

/** The run with what it printed and said to models: a dashboard asks for these when they are looked at. */
export function useWholeRun(known: KnownRun | undefined): KnownRun | undefined {
  const { wholeRun } = usePage().loaded
  const [whole, setWhole] = useState<KnownRun | null>(null)
  const id = known?.id
  const ended = known?.run.ended_at
  // Not `known` itself, which is another object whenever some other run ends.
  useEffect(() => {
    if (wholeRun === null || known === undefined) return
    let isWanted = true
    wholeRun(known).then(
      found => isWanted && setWhole(found),
      // What the dataset has is shown.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [id, ended, wholeRun === null])
  return whole?.id === id ? (whole ?? known) : known
}
