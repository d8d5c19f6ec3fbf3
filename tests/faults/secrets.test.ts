import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
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
  it('is shown nowhere, even when it changes; the change is reported', async () => {
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
    '%s is masked in the log and in the provenance',
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

const everyFileOf = (dir: string): string =>
  globSync(join(dir, '**/*'), { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')

it('the stored patch leaves out changes of a tracked .env and keys in code', async () => {
  const cwd = folderWith({
    'e.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\n',
    '.env': 'OPENAI_API_KEY=sk-before\n',
    'sub/.env.local': 'A=1\n',
    'code.py': 'x = 1\n',
  })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, stdio: 'ignore' })
  git('init')
  git('add', '-A')
  git('commit', '-m', 'first')
  const key = 'sk-SECRET-of-the-environment'
  writeFileSync(join(cwd, '.env'), 'OPENAI_API_KEY=sk-SECRET-1\n')
  writeFileSync(join(cwd, 'sub/.env.local'), 'A=sk-SECRET-2\n')
  writeFileSync(join(cwd, 'code.py'), `x = 2\nkey = "${key}"\nurl = "https://me:hunter22@host/?api_key=sk-SECRET-3"\n`)
  expect((await assay(['run', 'e.yaml', '-q'], { cwd, env: { MY_API_KEY: key } })).status).toBe(0)
  const kept = everyFileOf(join(cwd, 'results/e'))
  expect(kept).toContain('+x = 2')
  expect(kept).toContain('not stored because it may contain secrets: .env')
  expect(kept).not.toMatch(/sk-SECRET|hunter22/)
})

describe('a password or a key in an address', () => {
  const address = 'https://me:hunter22@host/v1?api_key=sk-SECRET-3&x=1'

  it('of a command is in no record of its runs, and a note gives the alternative', async () => {
    const cwd = folderWith({
      'e.yaml': `name: e\ntarget: { kind: command, command: ["true", "--at=${address}", "${address}"] }\n`,
    })
    const dir = join(cwd, 'results/e')
    const ended = await assay(['run', 'e.yaml'], { cwd })
    expect(ended.status).toBe(0)
    expect(ended.stderr).toContain('${envvar:NAME}')
    const [attempt] = journalRows<{ command: string }>(dir, 'SELECT command FROM attempts')
    expect(attempt?.command).toContain('https://(masked)@host/v1?api_key=(masked)&x=1')
    const [run] = journalRows<{ name: string }>(dir, 'SELECT name FROM runs')
    expect(everyFileOf(join(dir, 'runs'))).not.toMatch(/hunter22|sk-SECRET/)
    const why = await assay(['why', dir, run?.name ?? '', '--json'], { cwd })
    expect(why.stdout).not.toMatch(/hunter22|sk-SECRET/)
  })

  it.each(['https://host/v1?api_key=sk-SECRET', 'https://me:hunter22@host/v1'])(
    'of a model is refused: %s',
    async written => {
      const cwd = folderWith({
        'e.yaml': `name: e\ntarget: { kind: command, command: ["true"] }\nmodels: { m: { provider: openai-compatible, model: m, address: "${written}" } }\n`,
      })
      expect((await assay(['run', 'e.yaml'], { cwd })).status).toBe(2)
    },
  )
})
