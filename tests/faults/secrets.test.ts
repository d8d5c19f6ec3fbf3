import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

const definition = (secret: string) => `
name: e
target: { kind: command, command: ["true"], env: { API_KEY: ${secret} } }
factors: { x: [1] }
`

describe('a value of target.env', () => {
  it('is told of nowhere, when it changes too; that it changed is', async () => {
    const cwd = folderWith({ 'e.yaml': definition('sk-SECRET-1') })
    const dir = join(cwd, 'results/e')
    await assay(['run', 'e.yaml'], { cwd })
    const [run] = journalRows<{ name: string }>(dir, 'SELECT name FROM runs')
    writeFileSync(join(cwd, 'e.yaml'), definition('sk-SECRET-2'))
    const lines = [
      ['run', 'e.yaml'],
      ['run', 'e.yaml', '--json'],
      ['plan', 'e.yaml'],
      ['plan', 'e.yaml', '--json'],
      ['why', 'e.yaml', run?.name ?? ''],
      ['why', 'e.yaml', run?.name ?? '', '--json'],
      ['run', 'e.yaml', '--stale', 'rerun', '-v'],
      ['status', 'e.yaml', '-v'],
    ]
    const said: string[] = []
    for (const line of lines) {
      const { stdout, stderr } = await assay(line, { cwd })
      said.push(stdout + stderr)
    }
    expect(said.join('\n')).not.toContain('sk-SECRET')
    expect(said[0]).toMatch(/target\.env\.API_KEY: sha256:[0-9a-f]{12} → sha256:[0-9a-f]{12}\n/)
    const parts = journalRows<{ parts: string }>(dir, 'SELECT parts FROM fingerprints')
    expect(parts).toHaveLength(2)
    expect(JSON.stringify(parts)).not.toContain('sk-SECRET')
  })
})

describe('a secret on the command line', () => {
  it.each([['--set', 'params.api_key=sk-SECRET'], ['--set=params.api_key=sk-SECRET==']])(
    '%s is masked in the log and in what is known of the process',
    async (...set) => {
      const cwd = folderWith({
        'e.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\nparams: { api_key: none }\n',
      })
      const dir = join(cwd, 'results/e')
      expect((await assay(['run', 'e.yaml', '-q', ...set], { cwd })).status).toBe(0)
      const log = [
        ...journalRows(dir, 'SELECT data FROM events'),
        ...journalRows(dir, 'SELECT facts FROM provenance'),
        (await assay(['status', dir, '-v'], { cwd })).stdout,
      ]
      expect(JSON.stringify(log)).toContain('params.api_key=(masked)')
      expect(JSON.stringify(log)).not.toContain('sk-SECRET')
    },
  )
})
