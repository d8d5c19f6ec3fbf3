import type { Progress } from '../../../src/serve/wire.ts'

export interface StateWords {
  readonly text: string
  readonly tone: 'good' | 'warning' | ''
}

/** In one word, how an experiment stands. */
export function stateOf({ control, workers, summary }: Progress): StateWords {
  const left = summary.pending + summary.running
  if (workers.length > 0) {
    if (control === 'pause') return { text: 'paused', tone: 'warning' }
    if (control !== 'go') return { text: 'stopping', tone: 'warning' }
    return { text: 'running', tone: 'good' }
  }
  if (left === 0) return { text: 'complete', tone: 'good' }
  if (control === 'pause') return { text: 'paused; nobody works on it', tone: 'warning' }
  return { text: 'partial; nobody works on it', tone: 'warning' }
}
