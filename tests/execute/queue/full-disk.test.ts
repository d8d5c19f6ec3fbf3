import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { needs } from '../../support/needs.ts'
import { postgresBinaries, startPostgres } from '../../support/queue-servers.ts'
import { mountDisk } from '../../support/small-disk.ts'

it('a full disk of Postgres is reported, and no run is lost', async () => {
  needs(postgresBinaries() !== null, 'there is no Postgres for this platform')
  const disk = diskForTables()
  const server = await startPostgres()
  onTestFinished(() => server.stop())
  await keepTablesIn(disk, server.address)
  // Long values that can't be compressed: a few runs take many pages.
  const levels = Array.from({ length: 24 }, () => randomBytes(24_000).toString('base64'))
  const files = {
    'ok.mjs': 'export default () => ({ score: 1 })\n',
    'small.yaml': 'name: small\ntarget: { kind: function, module: ok.mjs }\nseeds: 1..2\n',
    'large.yaml': `name: large\ntarget: { kind: function, module: ok.mjs }\nfactors: ${JSON.stringify({ text: levels })}\n`,
  }
  const [cwd, elsewhere] = [folderWith(files), folderWith(files)]
  const env = { ASSAY_QUEUE: server.address }
  const worker = startAssay(['worker', '--json', '-j', '4', '--scratch', join(elsewhere, 'scratch')], {
    cwd: elsewhere,
    env,
  })
  const first = await startAssay(['run', 'small.yaml', '--json'], { cwd, env }).ended
  expect(summaryOf(first), first.stderr).toMatchObject({ completed: 2 })
  const filler = fill(disk)
  const run = startAssay(['run', 'large.yaml', '--json'], { cwd, env })
  await run.said('has no room for more runs (could not extend file')
  rmSync(filler)
  expect(summaryOf(await run.ended)).toMatchObject({ completed: 24, failed: 0 })
  worker.child.kill('SIGTERM')
  expect((await worker.ended).status).toBe(0)
})

/** A disk of 32 MB that Postgres may write to. */
function diskForTables(): string {
  // Where another user may enter, which the folder of the tests is not.
  const folder = mkdtempSync('/tmp/assay-disk-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  needs(mountDisk(folder, 'size=32m'), 'mounting a small disk needs root')
  chmodSync(folder, 0o700)
  chownSync(folder, 65_534, 65_534)
  return folder
}

async function keepTablesIn(folder: string, address: string): Promise<void> {
  const client = new pg.Client(address)
  await client.connect()
  await client.query(`CREATE TABLESPACE small LOCATION '${folder}'`)
  await client.query('ALTER ROLE assay SET default_tablespace = small')
  await client.end()
}

/** A file that takes all the room there is. */
function fill(disk: string): string {
  const path = join(disk, 'filler')
  const file = openSync(path, 'w')
  const zeros = Buffer.alloc(4096)
  try {
    for (;;) writeSync(file, zeros)
  } catch {
    return path
  } finally {
    closeSync(file)
  }
}
