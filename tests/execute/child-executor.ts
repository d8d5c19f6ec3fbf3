import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import type { StopReason } from '../../src/define/outcome.ts'
import type { AttemptResult, Job } from '../../src/define/run.ts'
import type { Executor, JobIo } from '../../src/execute/executor.ts'
import { LocalExecutor } from '../../src/execute/local.ts'
import { packWork } from '../../src/execute/work-package.ts'
import type { Setting } from '../../src/perform/perform.ts'
import type { FromWorker, ToWorker } from '../fixtures/programs/performs-jobs.ts'
import { temporaryDirectory } from '../process/support.ts'
import { bundled } from '../support/bundled.ts'

const fingerprint = { hash: 'f', parts: {} }

const worker = await bundled(join(import.meta.dirname, '../fixtures/programs/performs-jobs.ts'))

/**
 * Performs jobs in another process, on a copy of the experiment's folder in another place: nothing reaches the worker
 * but a package, once, and jobs. The directory for files is shared, as on a cluster.
 */
export function childExecutor(setting: Setting, slots: number): Executor {
  const elsewhere = temporaryDirectory()
  cpSync(setting.experiment.folder, elsewhere, { recursive: true })
  const work = packWork(setting, fingerprint)
  const running = new Map<string, { io: JobIo; end(result: AttemptResult): void }>()
  const local = new LocalExecutor(setting, slots)
  let child: ChildProcess | undefined
  const send = (message: ToWorker) => void child?.send(message)
  const started = () => {
    if (child !== undefined) return
    child = fork(worker, [elsewhere, setting.dir])
    child.on('message', (message: FromWorker) => {
      const job = running.get(message.token)
      if (message.kind === 'point') job?.io.onPoint(message.point)
      else job?.end(JSON.parse(message.json))
    })
    send({ kind: 'package', package: work })
  }
  return {
    get slots() {
      return slots
    },
    resize(wanted) {
      slots = wanted
    },
    follow() {},
    free: () => Math.max(0, slots - running.size),
    start(job: Job, io) {
      started()
      const { token } = job
      return new Promise(resolve => {
        running.set(token, {
          io,
          end(result) {
            running.delete(token)
            resolve(result)
          },
        })
        send({ kind: 'job', hash: work.hash, job })
        io.signal.addEventListener('abort', () => send({ kind: 'stop', token, reason: io.signal.reason as StopReason }))
      })
    },
    adopt: unfinished => local.adopt(unfinished),
    async close() {
      await local.close()
      if (child === undefined) return
      const gone = once(child, 'exit')
      child.kill()
      await gone
    },
  }
}
