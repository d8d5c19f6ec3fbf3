import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith, summaryOf } from '../support/assay.ts'

const definition = 'name: e\ntarget: { kind: command, command: ["true"] }\nseeds: 1..3\n'

/** A folder with an experiment whose journal has been tampered with. */
async function tampered(tamper: (file: string) => void, { run = true } = {}) {
  const cwd = folderWith({ 'e.yaml': definition })
  const dir = join(cwd, 'results', 'e')
  const file = join(dir, 'journal.db')
  if (run) expect((await assay(['run', 'e.yaml', '-q'], { cwd })).status).toBe(0)
  else mkdirSync(dir, { recursive: true })
  tamper(file)
  return { cwd, dir, before: readFileSync(file), now: () => readFileSync(file) }
}

const sql = (text: string) => (file: string) => {
  const database = new DatabaseSync(file)
  database.exec(text)
  database.close()
}

/** Every command that opens a journal refuses it with the same message, and does not change it. */
async function refusals(e: Awaited<ReturnType<typeof tampered>>): Promise<string> {
  const lines = [
    ['run', 'e.yaml'],
    ['run', e.dir],
    ['status', e.dir],
    ['collect', e.dir],
    ['worker', e.dir],
  ]
  const said = new Set<string>()
  for (const line of lines) {
    const ended = await assay(line, e)
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    said.add(complaint(ended, e))
  }
  expect(e.now().equals(e.before)).toBe(true)
  return [...said].join('\n')
}

describe('a journal is refused, and not touched,', () => {
  it('when a newer version wrote it', async () => {
    expect(await refusals(await tampered(sql('PRAGMA user_version = 999')))).toMatchInlineSnapshot(`
      "error: <cwd>/results/e/journal.db was written by a newer assay (journal version 999, this one reads up to 9)
      Use the newer assay for this directory. Nothing was changed."
    `)
  })

  it('when it is not a database', async () => {
    const garbage = (file: string) => writeFileSync(file, Buffer.alloc(10_000, 'garbage'))
    expect(await refusals(await tampered(garbage, { run: false }))).toMatchInlineSnapshot(`
      "error: the journal <cwd>/results/e/journal.db is damaged: file is not a database
      \`assay repair <cwd>/results/e\` saves what can be read of it, takes in the results in runs/, and keeps the damaged file."
    `)
  })

  it('when it is the database of another program', async () => {
    const e = await tampered(sql('CREATE TABLE mine (x); INSERT INTO mine VALUES (1)'), { run: false })
    expect(await refusals(e)).toMatchInlineSnapshot(`
      "error: <cwd>/results/e/journal.db is a database, but not one that assay made
      Choose another place with --out-root. Nothing was changed."
    `)
  })

  it('when it is the database of another program that counts its versions too', async () => {
    const e = await tampered(sql('CREATE TABLE mine (x); PRAGMA user_version = 1'), { run: false })
    expect(await refusals(e)).toMatchInlineSnapshot(`
      "error: <cwd>/results/e/journal.db is a database, but not one that assay made
      Choose another place with --out-root. Nothing was changed."
    `)
  })

  it('when its pages are damaged', async () => {
    const damage = (file: string) => {
      const bytes = readFileSync(file)
      writeFileSync(file, bytes.fill(0xaa, 4096))
    }
    expect(await refusals(await tampered(damage))).toMatchInlineSnapshot(`
      "error: the journal <cwd>/results/e/journal.db is damaged: database disk image is malformed
      \`assay repair <cwd>/results/e\` saves what can be read of it, takes in the results in runs/, and keeps the damaged file."
    `)
  })
})

it('an empty journal is treated as new', async () => {
  const e = await tampered(file => writeFileSync(file, ''), { run: false })
  expect(summaryOf(await assay(['run', 'e.yaml', '--json'], e))).toMatchObject({ completed: 3 })
})
