import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../util/errors.ts'
import type { ThreadAnswer, ThreadQuestion } from './in-thread.ts'
import { gzippedDataset, headlineOf } from './live-answers.ts'

// A separate thread: reading a hundred thousand runs takes seconds, and the server must answer other requests
// meanwhile.

parentPort?.postMessage(answer(workerData as ThreadQuestion))

function answer({ about, root, dirs }: ThreadQuestion): ThreadAnswer {
  try {
    return { said: about === 'dataset' ? gzippedDataset(root, dirs) : headlineOf(root, dirs[0] ?? '') }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
