import { expect, it } from 'vitest'
import { onServers } from '../execute/queue/on-servers.ts'
import { queueEpisode } from './chaos/queue-episode.ts'

// The short form of `npm run chaos -- queue`.
onServers('two machines', server => {
  it('completes every run once and keeps the budget while workers, coordinators and server are killed', async () => {
    const { findings, workerKills, folder, log } = await queueEpisode({
      ...{ seed: 5, runs: 60, paid: 20, killEveryMs: 1_500, coordinatorKills: 1, serverRestarts: 1 },
      ...{ goneAfterS: 2, server: server() },
    })
    expect(findings, `${folder}\n${log.join('\n')}`).toEqual([])
    expect(workerKills).toBeGreaterThan(0)
  })
})
