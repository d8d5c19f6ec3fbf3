import { listMachines } from '../../../execute/queue/machines.ts'
import { AssayError } from '../../../util/errors.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'
import { tableLines } from '../../views/table.ts'

/** `assay workers`: lists the workers on a queue and what they do. */
export async function workersCommand(_args: readonly string[], options: Options, io: Io): Promise<number> {
  if (options.queue === undefined)
    throw new AssayError('usage', 'name the server: --queue postgres://… or redis://…, or ASSAY_QUEUE', {
      hint: '`assay status <experiment>` lists the processes that work on an experiment of this machine.',
    })
  const { workers, coordinators } = await listMachines(options.queue)
  if (options.json) {
    writeJson(io.stdout, { workers, coordinators })
    return 0
  }
  const style = styler(io.stdout)
  const experimentOf = (queue: string) =>
    coordinators.find(one => one.queue === queue)?.name ?? 'an experiment that is gone'
  const rows = workers.map(({ id, machine, slots, jobs, load, is_draining, refused }) => [
    id,
    machine.host,
    `${jobs.reduce((sum, { tokens }) => sum + tokens.length, 0)} of ${slots}`,
    String(load),
    [
      `${machine.cpus} CPUs`,
      `${Math.round(machine.memory_mb / 1024)} GB`,
      ...(machine.gpus > 0 ? [`${machine.gpus} GPUs`] : []),
      ...machine.labels,
    ].join(', '),
    [
      ...jobs.map(({ queue, tokens }) => `${experimentOf(queue)} (${tokens.length})`),
      ...refused.map(({ queue, reason }) => `not ${experimentOf(queue)}: ${reason}`),
      ...(is_draining ? ['leaving'] : []),
    ].join('; '),
  ])
  writeLines(io.stdout, [
    ...(rows.length === 0
      ? ['no workers are connected']
      : tableLines(['worker', 'host', 'slots', 'load', 'machine', 'runs'], rows, {
          columns: tableWidth(io.stdout),
          head: style.bold,
        })),
    ...coordinators.map(({ name, host }) => `coordinator: ${name} on ${host}`),
  ])
  return 0
}
