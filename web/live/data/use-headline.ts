import { useEffect, useState } from 'preact/hooks'
import type { Headline, ReadOverview } from '../../../src/serve/wire.ts'
import { ask } from './ask.ts'

/** The headline of a finished experiment: during the run it would change with every run. */
export function useHeadline({ id, state, version }: ReadOverview): Headline | null {
  const [known, setKnown] = useState<Headline | null>(null)
  const isAtRest = state === 'complete' || state === 'partial'
  useEffect(() => {
    if (!isAtRest) return
    let isWanted = true
    ask<Headline>('/api/headline', { dir: id }).then(
      headline => isWanted && setKnown(headline),
      // The card is shown without it.
      () => undefined,
    )
    return () => {
      isWanted = false
    }
  }, [id, version, isAtRest])
  return isAtRest ? known : null
}
