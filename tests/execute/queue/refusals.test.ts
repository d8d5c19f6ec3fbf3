import { readFileSync, writeFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import pg from 'pg'
import { expect, it } from 'vitest'
import { broadcastTopic } from '../../../src/execute/queue/messages.ts'
import { openQueueServer } from '../../../src/execute/queue/server/open-server.ts'
import { assay, assayProcess, complaint, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import type { TestServer } from '../../support/queue-servers.ts'
import { onServers } from './on-servers.ts'

const files = { 'experiment.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\nfactors: { x: 1..4 }\n' }

onServers('refusals', server => {
  it('reports a wrong password', async () => {
    const address = await withPassword(server())
    const cwd = folderWith(files)
    for (const args of [['run'], ['worker'], ['workers']]) {
      const ended = await assay(args, { cwd, env: { ASSAY_QUEUE: address } })
      expect(ended.status).toBe(2)
      expect(complaint(ended, { cwd })).toContain('the password is wrong')
      expect(ended.stderr).not.toContain('guessed')
    }
  })

  it('reports a missing password, and ends', async () => {
    const address = (await withPassword(server())).replace(':guessed@', '@')
    const cwd = folderWith(files)
    const ended = await assayProcess(['workers'], { cwd, env: { ASSAY_QUEUE: address } })
    expect(ended.status).toBe(2)
    expect(ended.stderr).toMatch(/the server requires a password|the password is wrong/)
  })

  it('exchanges no runs between different versions', async () => {
    const cwd = folderWith(files)
    const env = { ASSAY_QUEUE: server().address }
    const other = await openQueueServer(server().address)
    const run = startAssay(['run', '--json'], { cwd, env })
    const machine = { host: 'elsewhere', cpus: 1, memory_mb: 1, gpus: 0, labels: [] }
    const worker = { t: 'worker', id: 'old', pid: 1, version: '0.0.1', slots: 4, machine, is_draining: false, load: 0 }
    const coordinator = { t: 'coordinator', id: 'new', queue: 'assay-new', name: 'newer', host: 'elsewhere' }
    const timer = setInterval(() => {
      other.channel.send(broadcastTopic, { ...worker, jobs: [], refused: [] })
      other.channel.send(broadcastTopic, { ...coordinator, version: '99.0.0', package: '', gone_ms: 10_000 })
    }, 200)
    try {
      await run.said('the worker old on elsewhere is of assay 0.0.1')
      const here = startAssay(['worker', '--json', '--scratch', 'scratch'], { cwd, env })
      await here.said('the coordinator is of assay 99.0.0')
      expect(summaryOf(await run.ended)).toMatchObject({ completed: 4, attempts: 4 })
    } finally {
      clearInterval(timer)
      await other.close()
    }
  })
})

/** An address with a password that the server does not know. */
async function withPassword({ address, port }: TestServer): Promise<string> {
  if (address.startsWith('redis')) {
    const redis = new Redis(port, '127.0.0.1')
    await redis.acl('SETUSER', 'guest', 'on', '>right', '~*', '&*', '+@all')
    redis.disconnect()
    return `redis://guest:guessed@127.0.0.1:${port}`
  }
  const client = new pg.Client(address)
  await client.connect()
  await client.query('DROP ROLE IF EXISTS guest')
  await client.query("CREATE ROLE guest LOGIN PASSWORD 'right'")
  const { rows } = await client.query('SHOW hba_file')
  const file: string = rows[0].hba_file
  writeFileSync(file, `host all guest 127.0.0.1/32 scram-sha-256\n${readFileSync(file, 'utf8')}`)
  await client.query('SELECT pg_reload_conf()')
  await client.end()
  return `postgres://guest:guessed@127.0.0.1:${port}/postgres`
}
