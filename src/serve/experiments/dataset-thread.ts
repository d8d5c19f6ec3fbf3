import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../util/errors.ts'
import { type DatasetAsked, gzippedDataset, type ThreadAnswer } from './gzipped-dataset.ts'

// A thread of its own: a hundred thousand runs take seconds to read, and the server has others to answer meanwhile.

parentPort?.postMessage(answer(workerData as DatasetAsked))

function answer(asked: DatasetAsked): ThreadAnswer {
  try {
    return { gzipped: gzippedDataset(asked) }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
