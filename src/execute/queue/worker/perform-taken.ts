import { hostname } from 'node:os'
import { join } from 'node:path'
import { type Job, resultWith } from '../../../define/run.ts'
import { type PerformIo, perform, type Setting } from '../../../perform/perform.ts'
import { runFolder } from '../../../record/places.ts'
import { messageOf } from '../../../util/errors.ts'
import type { Share } from '../../machine.ts'
import type { ToCoordinator } from '../messages.ts'
import { pointSender, reportingModels } from '../relay.ts'
import type { RemotePermits } from '../remote-permits.ts'
import { packFiles } from '../run-files.ts'
import type { WireFiles, WireResult } from '../wire-result.ts'
import type { AttemptsHere } from './attempts-here.ts'
import { parseStore, storeFile } from './object-store.ts'
import type { Source, SourceOptions } from './source.ts'

interface Around extends Pick<SourceOptions, 'scratch'> {
  readonly share: Share
  /** The worker's id. */
  readonly worker: string
  readonly source: Source
  readonly attempts: AttemptsHere
  readonly signal: AbortSignal
  readonly permits: RemotePermits
  /** Sends to the coordinator. */
  send(message: ToCoordinator): void
}

/** Performs a job that a worker has taken. Any error on this machine becomes the attempt's outcome. */
export async function performTaken(job: Job, setting: Setting, around: Around): Promise<WireResult> {
  const { worker, source, attempts, share, scratch, signal, permits, send } = around
  const { token } = job
  const points = pointSender(token, send)
  const io: PerformIo = {
    signal,
    permits,
    gpus: share.gpus,
    modelIds: reportingModels(source.modelIds, (model, id) => send({ t: 'model', token, model, id })),
    beyondBound: reportingModels(source.beyondBound, (model, id) => send({ t: 'beyond', token, model, id })),
    onPoint: points.add,
    onNote: message => send({ t: 'note', token, message }),
    onStarted: () => undefined,
  }
  try {
    attempts.add(token)
    const result = await perform(job, setting, io)
    const isShared = !setting.dir.startsWith(scratch)
    const files = isShared || result.place === null ? null : packFiles(runFolder(setting.dir, job.run.name))
    return { result, worker, files: files === null ? null : await withStored(files, job, around) }
  } catch (error) {
    const message = `the worker ${worker} can't work: ${messageOf(error)}`
    return { result: resultWith(job, { kind: 'infra_error', error_class: 'worker', message }), worker, files: null }
  } finally {
    share.giveBack()
    points.flush()
  }
}

/** Uploads files that are too large for a result to the store that the coordinator names; they stay here as well. */
async function withStored(files: WireFiles, job: Job, { source, send }: Around): Promise<WireFiles> {
  const { artifacts, name, queue } = source.hello
  const { left } = files
  if (left === null || artifacts === undefined) return files
  try {
    const { bucket, prefix } = parseStore(artifacts)
    // Experiments with the same name, and attempts of one run, don't overwrite each other's files.
    const place = [name, queue.slice(-8), job.run.name, String(job.attempt)]
    const folder = [...(prefix === '' ? [] : [prefix]), ...place].join('/')
    for (const path of left.paths) await storeFile(join(left.dir, path), bucket, `${folder}/${path}`, process.env)
    return { ...files, left: { ...left, store: `s3://${bucket}/${folder}/` } }
  } catch (error) {
    const message = `files of ${job.run.name} stay on ${hostname()}, as ${artifacts} did not take them: ${messageOf(error)}`
    send({ t: 'note', token: job.token, message })
    return files
  }
}
