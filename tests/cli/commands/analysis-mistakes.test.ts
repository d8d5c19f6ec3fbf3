import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'

const files = {
  'experiment.yaml': `
name: small
target: { kind: function, module: score.mjs }
factors: { policy: [a, b], load: [1, 2] }
blocks: { seed: 1..3 }
metrics: { score: { goal: maximize, primary: true } }
`,
  'score.mjs': 'export default ({ load }, { random }) => ({ score: load + random() })\n',
}

it('a misspelt metric is reported before any problem with arms', async () => {
  const cwd = folderWith(files)
  await assay(['run', '-q'], { cwd })
  for (const command of ['compare', 'effects', 'analyze']) {
    const ended = await assay([command, 'results/small', '--metric', 'scroe'], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toBe('error: no run has a metric "scroe"\ndid you mean "score"?')
  }
})

it('distinguishes an empty folder, a folder of experiments and a run', async () => {
  const cwd = folderWith(files)
  mkdirSync(join(cwd, 'empty'))
  await assay(['run', '-q'], { cwd })
  await assay(['run', '-q', '--exp-name', 'other'], { cwd })
  for (const command of ['compare', 'variance', 'analyze', 'effects']) {
    const empty = await assay([command, 'empty'], { cwd })
    expect(empty.status, command).toBe(2)
    expect(complaint(empty, { cwd })).toBe(
      'error: nothing was run in empty: it has no journal.db\ngive the directory that `assay run` printed, a table (.csv, .jsonl), or a folder of trajectories',
    )
    expect(complaint(await assay([command, 'results'], { cwd }), { cwd })).toBe(
      'error: results is not an experiment, but contains results/other and results/small\nname one of them, or several to analyse them together',
    )
  }
  expect(complaint(await assay(['variance', 'results/small/runs/nobody'], { cwd }), { cwd })).toContain(
    'there is no run',
  )
})

it('a run can be named by the path of its folder, even if it has none', async () => {
  const cwd = folderWith(files)
  await assay(['run', '-q'], { cwd })
  const of = (policy: string) =>
    journalRows<{ name: string }>(
      join(cwd, 'results/small'),
      `SELECT name FROM runs WHERE name LIKE 'policy-${policy}%' ORDER BY name`,
    ).map(({ name }) => `results/small/runs/${name}`)
  const { stdout, stderr } = await assay(
    ['compare', '--control-run-ids', ...of('a'), '--candidate-run-ids', ...of('b'), '--json'],
    { cwd },
  )
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toMatchObject({ n: { control: 6, candidate: 6, pairs: null } })
})

it('compares the best 20 of too many candidates, as the report does, but refuses --require for them', async () => {
  const cwd = folderWith({
    'experiment.yaml': `
name: wide
target: { kind: function, module: score.mjs }
factors: { x: 1..150 }
blocks: { seed: 1..6 }
metrics: { score: { goal: minimize, primary: true } }
`,
    'score.mjs': 'export default ({ x }, { random }) => ({ score: Math.abs(x - 70) + random() * x * 0.01 })\n',
  })
  await assay(['run', '-q'], { cwd })
  const usual = JSON.parse((await assay(['compare', 'results/wide', '--json'], { cwd })).stdout)
  expect(usual.comparisons).toHaveLength(20)
  const required = await assay(['compare', 'results/wide', '--require', 'better'], { cwd })
  expect(required.status).toBe(2)
  expect(complaint(required, { cwd })).toBe(
    'error: --require applies to every candidate, but only the best 20 of 149 are compared\n--best 20 requires it of these alone; --candidate names one (repeatable)',
  )
  const { comparisons, provenance } = JSON.parse(
    (await assay(['compare', 'results/wide', '--best', '3', '--json'], { cwd })).stdout,
  )
  expect(comparisons.map(({ candidate }: { candidate: string }) => candidate).toSorted()).toEqual([
    'x=69',
    'x=70',
    'x=71',
  ])
  expect(provenance.settings.chosen_from).toBe(149)
  const named = await assay(['compare', 'results/wide', '--candidate', 'x=70'], { cwd })
  expect(named.status).toBe(2)
  expect(complaint(named, { cwd })).toContain('which control?')
  const together = await assay(['compare', 'results/wide', '--best', '3', '--correction', 'max-t'], { cwd })
  expect(complaint(together, { cwd })).toContain('--best leaves some out')
})
