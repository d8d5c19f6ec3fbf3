import { useEffect, useState } from 'preact/hooks'

export interface Heard {
  /** By kind: what was said last. */
  readonly said: { readonly [event: string]: unknown }
  readonly isConnected: boolean
}

/** What the server tells again and again. The browser connects anew by itself. */
export function useEvents(dir: string | null, kinds: readonly string[]): Heard {
  const [heard, setHeard] = useState<Heard>({ said: {}, isConnected: true })
  const wanted = kinds.join()
  useEffect(() => {
    const events = new EventSource(dir === null ? '/api/events' : `/api/events?${new URLSearchParams({ dir })}`)
    for (const kind of wanted.split(','))
      events.addEventListener(kind, ({ data }: MessageEvent<string>) =>
        setHeard(({ said }) => ({ said: { ...said, [kind]: JSON.parse(data) as unknown }, isConnected: true })),
      )
    events.onopen = () => setHeard(now => ({ ...now, isConnected: true }))
    events.onerror = () => setHeard(now => ({ ...now, isConnected: false }))
    return () => events.close()
  }, [dir, wanted])
  return heard
}
