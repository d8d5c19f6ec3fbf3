import { useEffect, useState } from 'preact/hooks'

/** The part of the address after #, as it changes; and a way to report a change without an event. */
export function useHash(): readonly [hash: string, told: (hash: string) => void] {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const listen = (): void => setHash(location.hash)
    addEventListener('hashchange', listen)
    addEventListener('popstate', listen)
    return () => {
      removeEventListener('hashchange', listen)
      removeEventListener('popstate', listen)
    }
  }, [])
  return [hash, setHash]
}
