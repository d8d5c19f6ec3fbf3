import { setTimeout as passed } from 'node:timers/promises'
import { makeNetwork } from '../../support/network.ts'
import { queueKinds, startPostgres } from '../../support/queue-servers.ts'
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

/** Two hosts and a server, each in its own network; the connection of each host is cut, first in one direction, then in the other. */
export async function runCutEpisode(seed: number, runs: number, cutMs: number): Promise<number> {
  const network = makeNetwork()
  if (network === null) {
    console.log('two hosts: skipped, network namespaces need root and iproute2')
    return 0
  }
  const server = await startPostgres(network.hub)
  try {
    const { findings, takeoverS, attempts, folder } = await queueEpisode({
      ...{ seed, runs, runS: 1, paid: Math.ceil(runs / 5), killEveryMs: null, goneAfterS: 10, server },
      ...{ coordinatorKills: 0, serverRestarts: 0, on: network.on },
      async meanwhile(note, setAway, untilOver) {
        // Both are at work by then.
        await untilOver(0.1)
        for (const [machine, direction] of [
          [1, 'out'],
          [2, 'in'],
        ] as const) {
          await passed(5_000)
          note(`cut machine ${machine}, ${direction}`)
          setAway(true)
          network.cut(machine, direction)
          await passed(cutMs)
          network.heal(machine, direction)
          setAway(false)
          note(`healed machine ${machine}, ${direction}`)
        }
      },
    })
    const what = `two hosts, each cut off for ${cutMs / 1000} s: ${runs} runs, ${attempts} attempts`
    console.log(`${what}, takeover after ${takeoverS.toFixed(1)} s${findings.length === 0 ? '' : ', FOUND'}`)
    for (const finding of findings.slice(0, 20)) console.log(`  ${finding}`)
    if (findings.length > 0) console.log(`  everything is in ${folder}`)
    return findings.length === 0 ? 0 : 1
  } finally {
    await server.stop()
    network.remove()
  }
}
