import { existsSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { holdJournal } from '../../../src/engine/session/hold-journal.ts'
import { bootId } from '../../../src/process/processes.ts'
import { holderFile, readHolder } from '../../../src/record/journal/journal.ts'
import { networkFileSystem } from '../../../src/util/files.ts'
import { assay, complaint, folderWith } from '../../support/assay.ts'
import { jsonOf } from '../../support/files.ts'

const shared = { isShared: () => true, beatMs: 20, watchMs: 200 }

const journalIn = (folder: string): string => join(folder, 'journal.db')

const elsewhere = (journal: string, beat = 1): void =>
  writeFileSync(
    holderFile(journal),
    JSON.stringify({ host: 'node17', boot_id: 'another', pid: 4711, start_time: null, beat }),
  )

it('takes no lock on a local file system', async () => {
  const journal = journalIn(folderWith())
  const release = await holdJournal(journal)
  expect(existsSync(holderFile(journal))).toBe(false)
  release()
  expect([networkFileSystem(0x6969), networkFileSystem(0xef53), networkFileSystem(-11_317_950)]).toEqual([
    ...['NFS', undefined, 'CIFS'],
  ])
})

it('refuses a second process on the same machine while the first lives', async () => {
  const journal = journalIn(folderWith())
  const release = await holdJournal(journal, shared)
  await expect(holdJournal(journal, shared)).rejects.toThrow(
    `process ${process.pid} on ${hostname()} has the journal ${journal} open, on a network file system`,
  )
  await expect.poll(() => readHolder(journal)?.beat).toBeGreaterThan(2)
  release()
  const again = await holdJournal(journal, shared)
  again()
  expect(existsSync(holderFile(journal))).toBe(false)
})

it('takes over the lock of a dead process, or from before a reboot', async () => {
  const journal = journalIn(folderWith())
  for (const left of [
    { ...jsonOfOwn(), boot_id: bootId(), pid: 2 ** 22 - 1, start_time: '1' },
    { ...jsonOfOwn(), boot_id: 'before' },
  ]) {
    writeFileSync(holderFile(journal), JSON.stringify(left))
    const release = await holdJournal(journal, shared)
    expect(readHolder(journal)?.pid).toBe(process.pid)
    release()
  }
})

it('watches a process on another machine: keeps a live one, replaces a dead one', async () => {
  const journal = journalIn(folderWith())
  let beat = 1
  elsewhere(journal)
  const beating = setInterval(() => elsewhere(journal, ++beat), 20)
  await expect(holdJournal(journal, shared)).rejects.toThrow('process 4711 on node17 has the journal')
  clearInterval(beating)
  const release = await holdJournal(journal, shared)
  expect(readHolder(journal)).toMatchObject({ pid: process.pid, host: hostname() })
  release()
})

it('refuses even reading from another machine', async () => {
  const cwd = folderWith({
    'experiment.yaml': 'name: held\ntarget: { kind: function, module: one.mjs }\n',
    'one.mjs': 'export default () => ({ score: 1 })\n',
  })
  await assay(['run', '--json'], { cwd })
  elsewhere(join(cwd, 'results', 'held', 'journal.db'))
  for (const command of ['status', 'run']) {
    const ended = await assay([command, ...(command === 'run' ? [] : ['results/held'])], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toContain('process 4711 on node17 has the journal')
  }
  expect(jsonOf(join(cwd, 'results', 'held', 'summary.json'))).toMatchObject({ completed: 1 })
})

const jsonOfOwn = () => ({ host: hostname(), boot_id: 'now', pid: process.pid, start_time: null, beat: 0 })
