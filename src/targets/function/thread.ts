import { parentPort, workerData } from 'node:worker_threads'
import type { Point } from '../../define/target.ts'
import { tokenVariable } from '../../process/processes.ts'
import { systemCode } from '../../util/errors.ts'
import { callContext } from './call-context.ts'
import { loadedFunction, loadFunction } from './load-function.ts'
import {
  type Call,
  directoryStates,
  type FromThread,
  type ThreadData,
  type ThrownError,
  type ToThread,
} from './messages.ts'
import { type ModelAsk, ThreadModels } from './models/thread-models.ts'
import { OutputFiles } from './output-files.ts'
import { PointBuffer } from './point-buffer.ts'
import { returnedMetrics } from './returned-metrics.ts'
import { StopOnDemand } from './stop-on-demand.ts'

// The entry of a worker thread: it receives one call at a time, and reports its result.
const port = parentPort
if (port === null) throw new Error('thread.ts is started by the function target')
const { directorySlot }: ThreadData = workerData
const tell = (message: FromThread): void => port.postMessage(message)
const output = new OutputFiles()
const reported = new PointBuffer(points => tell({ kind: 'points', points }))
let stopping = new StopOnDemand()
let models: ThreadModels | null = null

output.capture()
port.on('message', (message: ToThread) => {
  if (message.kind === 'call') void perform(message.call)
  else if (message.kind === 'stop') stopping.stop(message.message)
  else models?.hear(message)
})

async function perform(call: Call): Promise<void> {
  const stop = new StopOnDemand()
  stopping = stop
  // A thread has its own environment, which the programs that it starts inherit.
  process.env[tokenVariable] = call.token
  let isOver = false
  const makeDirectory = once(() => isOver || waitForDirectory())
  const late = once((did: string) => tell({ kind: 'late', runId: call.runId, did }))
  // Actions of a run after its return must not be attributed to the next one.
  const report = (point: Point) => (isOver ? late(`reported ${point.metric}`) : reported.add(point))
  const ask = (message: ModelAsk) => (isOver ? late('called a model') : tell(message))
  let ownModels: ThreadModels | null = null
  const services = {
    signal: () => stop.signal,
    report,
    makeDirectory,
    models() {
      ownModels ??= new ThreadModels(ask)
      models = ownModels
      return ownModels.models
    },
  }
  try {
    const returned = await output.during({ runDir: call.place.run_dir, makeDirectory }, async () => {
      const callable = loadedFunction(call.module, call.export) ?? (await loadFunction(call.module, call.export))
      return callable(call.params, callContext(call, services))
    })
    const points = returnedMetrics(returned)
    tell({ kind: 'done', points: [...reported.takeAll(), ...points] })
  } catch (thrown) {
    const error = describeThrown(thrown, (ownModels as ThreadModels | null)?.callBehind(thrown) ?? null)
    keepStack(error)
    tell({ kind: 'thrown', points: reported.takeAll(), error })
  } finally {
    isOver = true
    output.end()
  }
}

function once<Arguments extends readonly unknown[]>(action: (...given: Arguments) => unknown) {
  let isDone = false
  return (...given: Arguments): void => {
    if (isDone) return
    action(...given)
    isDone = true
  }
}

/** Only the main thread may make run directories; this thread blocks meanwhile, so that `directory()` needs no await. */
function waitForDirectory(): void {
  Atomics.store(directorySlot, 0, directoryStates.waiting)
  tell({ kind: 'directory' })
  Atomics.wait(directorySlot, 0, directoryStates.waiting)
  if (Atomics.load(directorySlot, 0) === directoryStates.failed)
    throw new Error("the run's directory could not be made")
}

function describeThrown(thrown: unknown, call: number | null): ThrownError {
  if (!(thrown instanceof Error))
    return { name: 'Error', message: String(thrown), stack: String(thrown), code: null, call }
  const { name, message, stack = String(thrown) } = thrown
  return { name, message, stack, code: systemCode(thrown) ?? systemCode(thrown.cause) ?? null, call }
}

function keepStack(error: ThrownError): void {
  try {
    output.write('stderr', `${error.stack}\n`)
  } catch {
    // A full disk must not hide the error itself: its name and message travel in the message.
  }
}
