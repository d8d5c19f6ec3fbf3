import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'

const sweep = `
program: train.mjs
method: grid
metric: { name: loss, goal: minimize }
parameters:
  lr: { values: [1.0, 2.0] }
  eps: { value: 1e-3 }
  tiny: { value: 1.0e-05 }
  n: { value: 3 }
  big: { value: 1.0e+20 }
  ratios: { value: [1.0, 2] }
  optimizer: { parameters: { decay: { value: 2.0 }, name: { value: adam } } }
command: [node, "\${program}", "\${args}"]
`

/** Goes down, and up again. */
const train = `
  import { appendFileSync } from 'node:fs'
  const lr = Number(process.argv.find(word => word.startsWith('--lr=')).slice(5))
  for (const loss of [1, 0.2, 0.5]) appendFileSync(process.env.ASSAY_METRICS_FILE, JSON.stringify({ loss: loss * lr }) + '\\n')
`

describe("the winner's file of a W&B sweep", () => {
  it('reproduces the winning command line exactly, and uses the value of the objective', async () => {
    const cwd = folderWith({ 'sweep.yaml': sweep, 'train.mjs': train })
    const { id } = JSON.parse((await assay(['sweep', 'sweep.yaml', '--json'], { cwd })).stdout)
    expect((await assay(['agent', id], { cwd })).status).toBe(0)
    const written = await assay(['sweep', 'best', id, '--write', 'best.yaml'], { cwd })
    expect(written.status, written.stderr).toBe(0)
    const commandOf = async (file: string) =>
      JSON.parse((await assay(['plan', file, '--json'], { cwd })).stdout).runs[0].command
    const won: string[] = await commandOf('sweep.yaml')
    expect(won.slice(2)).toEqual([
      '--big=1e+20',
      '--eps=1e-3',
      '--lr=1.0',
      '--n=3',
      "--optimizer={'decay': 2.0, 'name': 'adam'}",
      '--ratios=[1.0, 2]',
      '--tiny=1e-05',
    ])
    expect(await commandOf('best.yaml')).toEqual(won)
    const text = readFileSync(join(cwd, 'best.yaml'), 'utf8')
    expect(text).toContain('lr: 1.0\n')
    expect(text).not.toContain(cwd)
    expect((await assay(['run', 'best.yaml', '-q'], { cwd })).status).toBe(0)
    const losses = journalRows<{ value: number }>(join(cwd, 'results/sweep-best'), 'SELECT value FROM metrics')
    expect(losses.map(({ value }) => value)).toEqual([0.5, 0.5, 0.5, 0.5, 0.5])
  })
})

describe('a native file', () => {
  it('passes 1.0 as 1.0 in a command with macros, and as in JSON elsewhere', async () => {
    const cwd = folderWith({
      'e.yaml': `
        name: floats
        target: { kind: command, command: [echo, "\${args}", "{lr}"] }
        params: { keep: 3.0 }
        factors: { lr: { values: [1.0, 2] } }`,
    })
    const { runs } = JSON.parse((await assay(['plan', 'e.yaml', '--json'], { cwd })).stdout)
    expect(runs.map(({ command }: { command: string[] }) => command.slice(1))).toEqual([
      ['--keep=3.0', '--lr=1.0', '1'],
      ['--keep=3.0', '--lr=2', '2'],
    ])
  })
})
