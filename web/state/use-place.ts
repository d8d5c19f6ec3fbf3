import { useCallback, useMemo } from 'preact/hooks'
import type { View } from '../../src/report/findings/view.ts'
import { hashOf, type Place, placeOf } from './location.ts'
import { useHash } from './use-hash.ts'

export interface Moving {
  readonly place: Place
  /** Goes there; the Back button returns. */
  go(change: Partial<Place>): void
  /** Changes the view in place: typing a filter does not add to the history. */
  look(change: Partial<View>): void
}

/** The reader's place, kept in the address bar. */
export function usePlace(defaults: View): Moving {
  const [hash, setHash] = useHash()
  const place = useMemo(() => placeOf(hash, defaults), [hash, defaults])
  const write = useCallback(
    (next: Place, how: 'pushState' | 'replaceState') => {
      const text = hashOf(next, defaults)
      history[how](null, '', text === '' ? location.pathname + location.search : text)
      setHash(text)
    },
    [defaults],
  )
  return {
    place,
    go: change => write({ ...place, ...change }, 'pushState'),
    look: change => write({ ...place, view: { ...place.view, ...change } }, 'replaceState'),
  }
}
