import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assay, eventsOf, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { appeared } from '../../support/files.ts'

/** An experiment in the layout's dialect, four runs with jobs: 2. Half of them wait for a file `go-1`, all for `go`. */
export interface LayoutExample {
  readonly config: string
  readonly files: Readonly<Record<string, string>>
  /** The experiment's directory, and the files that the layout writes there while it runs. */
  readonly dir: string
  readonly paths: readonly string[]
  /** Whether the files show just these runs as ended. */
  expectShown(text: (path: string) => string, runs: readonly string[]): void
}

/** The contract of every layout, tested with the real tool. */
export function layoutContract(dialect: string, example: LayoutExample): void {
  const { config, files, dir, paths } = example
  const start = (...gone: readonly string[]) => {
    const cwd = folderWith({ ...files, ...Object.fromEntries(gone.map(name => [name, ''])) })
    const place = (path: string) => join(cwd, dir, path)
    const text = (path: string) => readFileSync(place(path), 'utf8')
    return { cwd, place, text, all: () => paths.map(text) }
  }
  const endedIn = (stdout: string): string[] =>
    eventsOf({ status: 0, signal: null, stdout, stderr: '' })
      .filter(({ kind }) => kind === 'attempt_ended')
      .map(({ run }) => String(run))

  describe(`the layout of ${dialect}`, () => {
    test('has all runs at the end, and the same bytes if the same command runs nothing', async () => {
      const e = start('go')
      const first = await assay(['run', config, '--json'], e)
      expect(first.status).toBe(0)
      example.expectShown(e.text, endedIn(first.stdout))
      const before = e.all()
      expect(summaryOf(await assay(['run', config, '--json'], e))).toMatchObject({ attempts: 4 })
      expect(e.all()).toEqual(before)
    })

    test('is replaced atomically, without temporary files left', async () => {
      const e = start('go')
      await assay(['run', config, '--first', '2'], e)
      const before = e.all()
      for (const [index, path] of paths.entries()) linkSync(e.place(path), join(e.cwd, `opened-${index}`))
      await assay(['run', config], e)
      expect(e.all()).not.toEqual(before)
      expect(paths.map((_, index) => readFileSync(join(e.cwd, `opened-${index}`), 'utf8'))).toEqual(before)
      for (const path of paths)
        expect(readdirSync(dirname(e.place(path))).filter(name => name.endsWith('.tmp'))).toEqual([])
    })

    test('is written during the runs, complete after kill -9, and correct after the next call', async () => {
      const e = start('go-1')
      const run = startAssay(['run', config, '--json'], e)
      for (const path of paths) await appeared(e.place(path))
      run.child.kill('SIGKILL')
      const { stdout } = await run.ended
      const shown = endedIn(stdout.slice(0, stdout.lastIndexOf('\n') + 1))
      expect(shown.length).toBeGreaterThan(0)
      writeFileSync(join(e.cwd, 'go'), '')
      const last = await assay(['run', config, '--json'], e)
      expect(summaryOf(last)).toMatchObject({ completed: 4, running: 0 })
      example.expectShown(e.text, [...new Set([...shown, ...endedIn(last.stdout)])])
    })

    test('is correct whichever of two processes ends last', async () => {
      const e = start()
      const run = startAssay(['run', config, '--json', '-j', '1'], e)
      await run.said('"attempt_started"')
      const worker = startAssay(['worker', join(e.cwd, dir), '--json', '-j', '3'], e)
      await worker.said('"attempt_started"', 3)
      writeFileSync(join(e.cwd, 'go'), '')
      const [one, two] = await Promise.all([run.ended, worker.ended])
      expect([one.status, two.status]).toEqual([0, 0])
      example.expectShown(e.text, [...endedIn(one.stdout), ...endedIn(two.stdout)])
    })

    test('causes only a notice if it can’t be written', async () => {
      const e = start('go')
      // A file where a folder should be, and a folder where a file should be.
      const inTheWay = paths.map(path => join(dir, path.includes('/') ? dirname(path) : join(path, 'x')))
      const cwd = folderWith({ ...files, go: '', ...Object.fromEntries(inTheWay.map(path => [path, ''])) })
      const ended = await assay(['run', config, '--json'], { ...e, cwd })
      expect(ended.status).toBe(0)
      expect(summaryOf(ended)).toMatchObject({ kind: 'summary', completed: 4, attempts: 4 })
      const notices = eventsOf(ended).filter(({ kind }) => kind === 'notice')
      const failed = notices.filter(({ message }) => String(message).includes('the files of the dialect'))
      expect(failed).toHaveLength(1)
    })
  })
}
