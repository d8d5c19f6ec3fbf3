import { availableParallelism, homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { WorkerEvent } from '../../../execute/queue/machines.ts'
import { workOnQueue } from '../../../execute/queue/machines.ts'
import { targetFor } from '../../../targets/registry.ts'
import { AssayError } from '../../../util/errors.ts'
import { type Io, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { outcomeFact } from '../../views/outcome-text.ts'

/** `assay worker --queue …`: takes runs of every experiment on a server, until it is told to leave. */
export async function queueWorkerCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { queue = '' } = options
  if (args.length > 0)
    throw new AssayError('usage', 'a worker of a queue takes runs of any experiment there: name none', {
      hint: 'Without --queue, `assay worker <experiment>` works on an experiment of this machine.',
    })
  io.keepMemory?.()
  const tell = (event: WorkerEvent) => {
    if (options.json) io.stdout.write(`${JSON.stringify(event)}\n`)
    else if (!options.quiet) writeLines(io.stdout, lines(event))
  }
  const worker = await workOnQueue(queue, {
    slots: options.jobs ?? availableParallelism(),
    labels: options.label ?? [],
    folder: resolve(io.cwd, options.folder ?? '.'),
    scratch: resolve(io.cwd, options.scratch ?? join(homedir(), '.cache', 'assay', 'worker')),
    count: options.count ?? null,
    targetFor,
    tell,
  })
  let isAsked = false
  const forget = io.onSignal(() => {
    worker.interrupt(isAsked ? 'cancel' : 'drain')
    if (!isAsked && !options.quiet && !options.json)
      writeLines(io.stderr, ['running runs finish, no new ones are taken; interrupt again to end them'])
    isAsked = true
  })
  try {
    const { attempts, isCutOff } = await worker.run()
    if (!options.json && !options.quiet)
      writeLines(io.stdout, [`made ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`])
    if (isCutOff) io.endSoon?.()
    return isCutOff ? 1 : 0
  } finally {
    forget()
  }
}

function lines(event: WorkerEvent): readonly string[] {
  switch (event.kind) {
    case 'connected':
      return [`worker ${event.id} waits for runs on ${event.where}`]
    case 'experiment':
      return [`takes runs of ${event.name} (from ${event.host})`]
    case 'refused':
      return [`takes no runs of ${event.name}: ${event.reason}`]
    case 'cut_off':
      return [
        `can't reach ${event.where} any more: leaving`,
        ...(event.unstored > 0
          ? [`${event.unstored} results could not be delivered: their runs will be executed again`]
          : []),
      ]
    case 'started':
      return []
    case 'ended':
      return [`${event.experiment}: ${event.run}  ${outcomeFact(event.result.outcome)}`]
  }
}
