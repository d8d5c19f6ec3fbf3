import { useEffect, useState } from 'preact/hooks'
import type { Headline, ReadOverview } from '../../../src/serve/wire.ts'
import { ask } from './ask.ts'

/** What may be said of an experiment, once it is at rest: while it is under way, that changes with every run. undefined: it is on its way. */
export function useHeadline({ id, state, version }: ReadOverview): Headline | null | undefined {
  const [known, setKnown] = useState<Headline | null | undefined>(undefined)
  const isAtRest = state === 'complete' || state === 'partial'
  useEffect(() => {
    if (!isAtRest) return
    let isWanted = true
    ask<Headline>('/api/headline', { dir: id }).then(
      headline => isWanted && setKnown(headline),
      // The card says what it can without it.
      () => isWanted && setKnown(null),
    )
    return () => {
      isWanted = false
    }
  }, [id, version, isAtRest])
  return isAtRest ? known : null
}
