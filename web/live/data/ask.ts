import type { RunStory, RunTrajectory } from '../../../src/report/dataset/turns.ts'

/** An answer of the server, or the reason why there is none. */
export async function ask<T>(path: string, params: Readonly<Record<string, string>>): Promise<T> {
  return answer<T>(await fetch(`${path}?${new URLSearchParams(params)}`))
}

/** What a run's agent did from a turn on. */
export const askTurns = (dir: string, run: string, from: number): Promise<RunTrajectory> =>
  ask<RunTrajectory>('/api/trajectory', { dir, run, from: String(from) })

/** What happened in a run of a scenario from a turn on. */
export const askStory = (dir: string, run: string, from: number): Promise<RunStory> =>
  ask<RunStory>('/api/story', { dir, run, from: String(from) })

/** Changes something; the header is what a page from elsewhere can't send. */
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

/** What the server said, in its own words. */
export async function reasonOf(response: Response): Promise<string> {
  const text = await response.text()
  try {
    const { error, hint } = JSON.parse(text) as { readonly error: string; readonly hint?: string }
    return hint === undefined ? error : `${error} (${hint})`
  } catch {
    return text === '' ? `the server answered ${response.status}` : text
  }
}
