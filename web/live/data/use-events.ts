import { useEffect, useState } from 'preact/hooks'
import { reasonOf } from './ask.ts'

export interface Heard {
  /** The last event of each kind. */
  readonly latest: { readonly [event: string]: unknown }
  readonly isConnected: boolean
}

/** Why there is no stream: the browser does not expose the server's message. */
async function refusal(dir: string): Promise<string | null> {
  try {
    const response = await fetch(`/api/progress?${new URLSearchParams({ dir })}`)
    return response.ok ? null : await reasonOf(response)
  } catch {
    return null
  }
}

/** The server's repeated events. The browser reconnects by itself. */
export function useEvents(dir: string | null, kinds: readonly string[]): Heard {
  const [heard, setHeard] = useState<Heard>({ latest: {}, isConnected: true })
  const wanted = kinds.join()
  useEffect(() => {
    const events = new EventSource(dir === null ? '/api/events' : `/api/events?${new URLSearchParams({ dir })}`)
    for (const kind of wanted.split(','))
      events.addEventListener(kind, ({ data }: MessageEvent<string>) =>
        setHeard(({ latest }) => ({ latest: { ...latest, [kind]: JSON.parse(data) as unknown }, isConnected: true })),
      )
    events.onopen = () => setHeard(now => ({ ...now, isConnected: true }))
    events.onerror = () => {
      setHeard(now => ({ ...now, isConnected: false }))
      if (events.readyState === EventSource.CLOSED && dir !== null) void refusal(dir).then(answered)
    }
    // The server does answer: there is no such experiment.
    const answered = (problem: string | null): void => {
      if (problem !== null)
        setHeard(({ latest }) => ({ latest: { ...latest, progress: { problem } }, isConnected: true }))
    }
    return () => events.close()
  }, [dir, wanted])
  return heard
}
