import { useEffect, useState } from 'preact/hooks'

/** What stands behind # in the address, as it changes; and a way to say that it was changed without an event. */
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
