import { useEffect, useState } from 'preact/hooks'
import type { Headline, ReadOverview } from '../../../src/serve/wire.ts'
import { ask } from './ask.ts'

/**
 * The conclusion of an experiment, once it is idle: during a run it changes with every result. undefined: still
 * loading.
 */
export function useHeadline({ id, state, version }: ReadOverview): Headline | null | undefined {
  const [known, setKnown] = useState<Headline | null | undefined>(undefined)
  const isAtRest = state === 'complete' || state === 'partial'
  useEffect(() => {
    if (!isAtRest) return
    let isWanted = true
    ask<Headline>('/api/headline', { dir: id }).then(
      headline => isWanted && setKnown(headline),
      // The card is complete without it.
      () => isWanted && setKnown(null),
    )
    return () => {
      isWanted = false
    }
  }, [id, version, isAtRest])
  return isAtRest ? known : null
}
