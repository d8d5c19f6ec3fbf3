import { queueKinds } from '../../support/queue-servers.ts'
import { queueEpisode } from './queue-episode.ts'

/** The whole proof on Postgres, a shorter one on Redis. */
export async function runQueueEpisodes(seed: number, runs: number, only?: string): Promise<number> {
  let found = 0
  for (const { name, isThere, start } of queueKinds) {
    if (only !== undefined && only.toLowerCase() !== name.toLowerCase()) continue
    if (!isThere) {
      console.log(`${name}: skipped, it is not installed`)
      continue
    }
    const server = await start()
    try {
      const size = name === 'Postgres' ? runs : Math.ceil(runs / 4)
      const began = performance.now()
      const { findings, takeoverS, workerKills, attempts, folder } = await queueEpisode({
        ...{ seed, runs: size, paid: Math.ceil(size / 5), killEveryMs: 4_000, goneAfterS: 10, server },
        ...{ coordinatorKills: 2, serverRestarts: 1 },
      })
      const seconds = ((performance.now() - began) / 1000).toFixed(0)
      console.log(
        `${name}: ${size} runs, ${attempts} attempts, ${workerKills} workers killed, takeover after ${takeoverS.toFixed(1)} s, ${seconds} s${findings.length === 0 ? '' : `, FOUND ${findings.length}`}`,
      )
      if (findings.length > 0) found++
      for (const finding of findings.slice(0, 20)) console.log(`  ${finding}`)
      if (findings.length > 0) console.log(`  everything is in ${folder}`)
    } finally {
      await server.stop()
    }
  }
  return found === 0 ? 0 : 1
}
