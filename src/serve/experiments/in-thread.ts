import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { AssayError } from '../../util/errors.ts'
import type { Headline } from '../wire.ts'

export interface ThreadQuestion {
  readonly about: keyof Answers
  readonly root: string
  readonly dirs: readonly string[]
}

interface Answers {
  readonly dataset: Uint8Array
  readonly headline: Headline
}

/** The thread's answer, or why there is none. */
export type ThreadAnswer = { readonly said: Answers[keyof Answers] } | { readonly problem: string }

/** Reads experiments in a separate thread. */
export async function inThread<About extends keyof Answers>(
  about: About,
  root: string,
  dirs: readonly string[],
): Promise<Answers[About]> {
  const worker = new Worker(threadFile(), { workerData: { about, root, dirs } satisfies ThreadQuestion })
  try {
    const [answer] = (await once(worker, 'message')) as [ThreadAnswer]
    if ('problem' in answer) throw new AssayError('unreadable_journal', answer.problem)
    return answer.said as Answers[About]
  } finally {
    await worker.terminate()
  }
}

/** Next to the bundle, or next to this file. */
const threadFile = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? './dataset-thread.ts' : './dataset-thread.js', import.meta.url)
