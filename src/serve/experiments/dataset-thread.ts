import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../util/errors.ts'
import type { ThreadAnswer, ThreadQuestion } from './in-thread.ts'
import { gzippedDataset, headlineOf } from './live-answers.ts'

// A thread of its own: a hundred thousand runs take seconds to read, and the server has others to answer meanwhile.

parentPort?.postMessage(answer(workerData as ThreadQuestion))

function answer({ about, root, dirs }: ThreadQuestion): ThreadAnswer {
  try {
    return { said: about === 'dataset' ? gzippedDataset(root, dirs) : headlineOf(root, dirs[0] ?? '') }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
