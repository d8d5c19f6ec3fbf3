import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, startAssay } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { prepared } from '../support/prepared.ts'

/**
 * Moves the cursor up, erases what was there, changes the window's title, hides text; as 8-bit orders, too. Goes on in a
 * separate line, and reverses the writing direction.
 */
const orders = '\\u001b[5A\\u001b[J\\u001b]0;mine\\u0007\\u001b[8m\\u009b2J\\r\\u0008\\nforged row\\u202eesrever\\u2028'

const hostile = prepared(async () => {
  const cwd = folderWith({
    'program.sh': `#!/bin/sh
printf '%s\n' '{"m${orders}": '$1', "score": '$1'}' >> "$ASSAY_METRICS_FILE"
[ $1 != 9 ] || { printf '\\033[5A\\033[Jgone\n' >&2; exit 3; }
`,
    'e.yaml': `name: e
target: { kind: command, command: [./program.sh, '{x}'] }
factors: { x: [1, 2, 9], level: ["a${orders}", b] }
seeds: 1..3
metrics: { score: { goal: maximize } }
`,
  })
  expect((await assay(['run', 'e.yaml', '-q', '--keep-going'], { cwd })).status).toBe(1)
  return cwd
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
const anyOrder = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u202e]/

it('no command prints terminal escapes from a program’s names and messages', async () => {
  const cwd = await hostile()
  const dir = join(cwd, 'results/e')
  const [run] = journalRows<{ name: string }>(dir, `SELECT name FROM runs WHERE outcome = 'failed'`)
  const lines = [
    ['run', 'e.yaml', '--retry-failed', '--keep-going'],
    ['plan', 'e.yaml'],
    ['status', dir, '-v'],
    ['why', dir, run?.name ?? ''],
    ['collect', dir],
    ['compare', dir],
    ['effects', dir],
    ['variance', dir],
    ['analyze', dir],
    ['diff', dir],
    ['summarize', dir],
    ['tag', dir, 'a\u001b[2Jb'],
    ['status', dir],
    ['status', dir, '--json'],
    ['run', `no\u001b[2J-such.yaml`],
  ]
  for (const line of lines) {
    const { stdout, stderr } = await assay(line, { cwd })
    expect([line, anyOrder.exec(stdout + stderr)?.index ?? null]).toEqual([line, null])
  }
})

it('a metric’s name stays on one line, in lists and tables', async () => {
  const cwd = folderWith({
    'program.sh': `#!/bin/sh
printf '%s\n' '{"m\\nforged row": '$1', "score": '$1'}' >> "$ASSAY_METRICS_FILE"
`,
    'e.yaml':
      "name: e\ntarget: { kind: command, command: [./program.sh, '{x}'] }\nfactors: { x: [1, 2] }\nseeds: 1..3\n",
  })
  await assay(['run', 'e.yaml', '-q'], { cwd })
  const { stderr } = await assay(['compare', 'results/e'], { cwd })
  expect(stderr).toContain('there are m\\nforged row, score')
  const { stdout } = await assay(['compare', 'results/e', '--metric', 'm\\nforged row'], { cwd })
  expect(stdout).toContain('m\\nforged row')
  expect(stdout).not.toMatch(/^\s*forged/m)
})

it('a level’s name stays in its row', async () => {
  const cwd = await hostile()
  const { stdout } = await assay(['effects', 'results/e', '--metric', 'score'], { cwd })
  const [table = ''] = stdout.slice(stdout.indexOf('effect of')).split('\n\n')
  expect(table).toContain('forged row')
  expect(table).not.toMatch(/^\s*forged/m)
})

it('on a terminal with colours, only assay’s colours are printed', async () => {
  const cwd = await hostile()
  const going = startAssay(['status', 'results/e', '-v'], { cwd, env: { FORCE_COLOR: '1', NO_COLOR: '' } })
  const { stdout } = await going.ended
  expect(stdout).toContain('\u001b[1me\u001b[22m')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: assay's own colours
  expect(stdout.replaceAll(/\u001b\[(?:1|2|22|3[1236]|39)m/g, '')).not.toMatch(anyOrder)
})

it('a plan as JSON keeps the experiment’s values in every written chunk', async () => {
  const cwd = folderWith({
    'e.yaml': `name: e
target: { kind: command, command: [/bin/true, '{level}'] }
factors: { level: ["a\\u009bb\\u007f", "€", plain] }
seeds: 1..400
`,
  })
  const { stdout } = await assay(['plan', 'e.yaml', '--json'], { cwd })
  expect(anyOrder.exec(stdout)).toBeNull()
  const { runs } = JSON.parse(stdout) as { runs: { params: { level: string } }[] }
  const levels = new Map<string, number>()
  for (const { params } of runs) levels.set(params.level, (levels.get(params.level) ?? 0) + 1)
  expect([...levels]).toEqual([
    ['a\u009bb\u007f', 400],
    ['€', 400],
    ['plain', 400],
  ])
})
