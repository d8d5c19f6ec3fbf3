import { existsSync, globSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assayProcess, complaint, folderWith, summaryOf } from '../support/assay.ts'
import { jsonOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { needsProc } from '../support/needs.ts'
import { mountDisk } from '../support/small-disk.ts'
import { expectAddsUp } from '../support/summary.ts'

const experiment = (command: string, more = '') => `name: e
target: { kind: command, command: ${command} }
${more}`

describe('a missing program', () => {
  it('is refused before anything is created', async () => {
    const cwd = folderWith({ 'experiment.yaml': experiment('[./sim, --fast]') })
    const ended = await assayProcess(['run'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(
      `"error: experiment.yaml:2:36  target.command.0: program "./sim" was not found in <cwd>; a relative path starts at the folder of the configuration file, then at the working directory; is it built?"`,
    )
    expect(readdirSync(cwd)).toEqual(['experiment.yaml'])
  })

  it('named by one run only is that run’s failure', async () => {
    const cwd = folderWith({ 'experiment.yaml': experiment('["{program}"]', 'factors: { program: ["true", ./gone] }') })
    const ended = await assayProcess(['run', '-q', '-j1', '--order', 'listed'], { cwd })
    expect(ended.status).toBe(1)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(
      `"[FAIL] program-gone__fd9ac0725d8d exit_code=127 (2/2) the program could not be started: there is no file <cwd>/gone (ENOENT)"`,
    )
    const [run = ''] = readdirSync(join(cwd, 'results/e/runs')).filter(name => name.includes('gone'))
    expect(jsonOf(join(cwd, 'results/e/runs', run, 'meta.json'))).toMatchObject({ exit_code: 127 })
  })
})

describe('a directory that can’t be written', () => {
  it('because a file is in its place', async () => {
    const cwd = folderWith({ 'experiment.yaml': experiment('["true"]'), results: 'a file' })
    const ended = await assayProcess(['run'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(`
      "error: can't write to <cwd>/results/e: ENOTDIR: not a directory, mkdir '<cwd>/results/e'
      Choose another place with --out-root."
    `)
  })

  it('because its folder is not writable', async () => {
    needsProc()
    const cwd = folderWith({ 'experiment.yaml': experiment('["true"]') })
    const ended = await assayProcess(['run', '--out-root', '/proc/results'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(`
      "error: can't write to /proc/results/e: ENOENT: no such file or directory, mkdir '/proc/results'
      Choose another place with --out-root."
    `)
  })

  it('because its file system is read-only', async ({ skip }) => {
    const cwd = folderWith({ 'experiment.yaml': experiment('["true"]') })
    if (!mountDisk(join(cwd, 'results'), 'ro')) return skip('mounting takes root')
    const ended = await assayProcess(['run'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(`
      "error: can't write to <cwd>/results/e: EROFS: read-only file system, mkdir '<cwd>/results/e'
      Choose another place with --out-root."
    `)
  })
})

describe('a full disk', () => {
  const filler = '#!/bin/sh\n[ -e "$STOP" ] || head -c 8M /dev/zero > "$ASSAY_RUN_DIR/big"\n'
  const limits = 'factors: { x: [1, 2, 3] }\nlimits: { jobs: 1, retries: { infra_error: 1, backoff: 10ms } }'

  it('before the start: nothing runs, and the message says what to do', async ({ skip }) => {
    const cwd = folderWith({ 'experiment.yaml': experiment('["true"]') })
    const disk = join(cwd, 'results')
    if (!mountDisk(disk, 'size=64k')) return skip('mounting takes root')
    writeFileSync(join(disk, 'filler'), Buffer.alloc(60_000))
    const ended = await assayProcess(['run'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toMatchInlineSnapshot(`
      "error: can't write the journal <cwd>/results/e/journal.db: database or disk is full
      Free some space and run the same command again. Finished runs are kept."
    `)
  })

  it('under the journal: finished runs are kept, and the same command continues once there is space', async ({
    skip,
  }) => {
    const cwd = folderWith({ 'fills.sh': filler, 'experiment.yaml': experiment('[./fills.sh]', limits) })
    const disk = join(cwd, 'results')
    if (!mountDisk(disk, 'size=2m')) return skip('mounting takes root')
    const env = { STOP: join(cwd, 'stop') }
    const full = await assayProcess(['run'], { cwd, env })
    expect([1, 2]).toContain(full.status)
    expect(full.stderr).toMatch(/space is left|disk is full|no space left/)
    expect(full.stderr).not.toContain('this is a bug')

    freeSpace(disk)
    writeFileSync(env.STOP, '')
    const again = await assayProcess(['run', '--json', '--retry-failed'], { cwd, env })
    expect(again.status).toBe(0)
    expect(summaryOf(again)).toMatchObject({ planned: 3, completed: 3 })
    expectAddsUp(summaryOf(again))
    expect(journalRows(join(disk, 'e'), 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  })

  it('at any other moment: never a bug of assay, and nothing finished is lost', async ({ skip }) => {
    const cwd = folderWith({ 'experiment.yaml': experiment('["true"]', 'seeds: 1..60\nlimits: { jobs: 2 }') })
    const disk = join(cwd, 'results')
    if (!mountDisk(disk, 'size=4m')) return skip('mounting takes root')
    for (const free of [120, 280, 600]) {
      writeFileSync(join(disk, 'filler'), Buffer.alloc(4 * 2 ** 20 - free * 1024))
      const full = await assayProcess(['run', '-q'], { cwd })
      expect(full.status, full.stderr).toBe(2)
      expect(full.stderr).toContain('Free some space')
      rmSync(join(disk, 'filler'))
      const completed = summaryOf(await assayProcess(['run', '--json', '--first', '60'], { cwd })).completed
      expect(completed).toBe(60)
      rmSync(join(disk, 'e'), { recursive: true })
    }
  })

  it('under the run directories only: an infrastructure error, run again by the same command', async ({ skip }) => {
    const cwd = folderWith({ 'fills.sh': filler, 'experiment.yaml': experiment('[./fills.sh]', limits) })
    const runs = join(cwd, 'results', 'e', 'runs')
    if (!mountDisk(runs, 'size=1m')) return skip('mounting takes root')
    const env = { STOP: join(cwd, 'stop') }
    const full = await assayProcess(['run', '--json'], { cwd, env })
    expect(full.status).toBe(1)
    expect(summaryOf(full)).toMatchObject({ planned: 3, completed: 0, pending: 0 })
    expectAddsUp(summaryOf(full))

    freeSpace(runs)
    writeFileSync(env.STOP, '')
    const again = await assayProcess(['run', '--json', '--retry-failed'], { cwd, env })
    expect(again.status).toBe(0)
    expect(summaryOf(again)).toMatchObject({ planned: 3, completed: 3 })
    expect(existsSync(join(cwd, 'results', 'e', 'journal.db'))).toBe(true)
  })
})

/** Deletes the files with which runs filled the disk, in earlier attempts too. */
function freeSpace(folder: string): void {
  for (const file of globSync(join(folder, '**', 'big'))) rmSync(file)
}
