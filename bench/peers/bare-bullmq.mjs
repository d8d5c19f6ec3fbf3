// BullMQ by itself: one process adds jobs that wait for some milliseconds, others take them. Prints jobs per second.
//   bare-bullmq.mjs <address> <jobs> <workers> [<slots of each> <ms>]     bare-bullmq.mjs <address> worker <queue> <slots> <ms>
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPostgresBackend, Queue, Worker } from 'bullmq'

const [address, what, argument = '2', slots = '1', ms = '0'] = process.argv.slice(2)
const options = { connection: { connectionString: address, migrate: true } }

if (what === 'worker') {
  const work = async () => {
    if (ms !== '0') await sleep(Number(ms))
    return { ok: true }
  }
  const worker = new Worker(argument, work, { ...options, concurrency: Number(slots) }, createPostgresBackend)
  await worker.waitUntilReady()
  console.log('ready')
} else {
  const jobs = Number(what)
  const name = `bare-${process.pid}`
  const queue = new Queue(name, options, createPostgresBackend)
  await queue.waitUntilReady()
  const workers = Array.from({ length: Number(argument) }, () =>
    spawn(process.execPath, [process.argv[1], address, 'worker', name, slots, ms], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  await Promise.all(workers.map(({ stdout }) => once(stdout, 'data')))
  const started = performance.now()
  for (let at = 0; at < jobs; at += 500)
    await queue.addBulk(Array.from({ length: Math.min(500, jobs - at) }, () => ({ name: 'job', data: {} })))
  while ((await queue.getCompletedCount()) < jobs) await sleep(20)
  console.log((jobs / (performance.now() - started)) * 1000)
  for (const worker of workers) worker.kill('SIGKILL')
  await queue.obliterate({ force: true })
  await queue.close()
  process.exit(0)
}
