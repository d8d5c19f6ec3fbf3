import type { RunStory, RunTrajectory } from '../../../src/report/dataset/turns.ts'

/** The server's answer, or the reason why there is none. */
export async function ask<T>(path: string, params: Readonly<Record<string, string>>): Promise<T> {
  return answer<T>(await fetch(`${path}?${new URLSearchParams(params)}`))
}

/** The work of a run's agent from a turn on. */
export const askTurns = (dir: string, run: string, from: number): Promise<RunTrajectory> =>
  ask<RunTrajectory>('/api/trajectory', { dir, run, from: String(from) })

/** The story of a scenario's run from a turn on. */
export const askStory = (dir: string, run: string, from: number): Promise<RunStory> =>
  ask<RunStory>('/api/story', { dir, run, from: String(from) })

/** Changes something; a page from elsewhere can't send this header. */
export async function tell<T>(path: string, body: unknown): Promise<T> {
  return answer<T>(
    await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-assay': '1' },
      body: JSON.stringify(body),
    }),
  )
}

async function answer<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T
  throw new Error(await reasonOf(response))
}

/** The server's own message. */
export async function reasonOf(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { error, hint } = JSON.parse(text) as { readonly error: string; readonly hint?: string }
    return hint === undefined ? error : `${error} (${hint})`
  } catch {
    return text === '' ? `the server answered ${response.status}` : text
  }
}
