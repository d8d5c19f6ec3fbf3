import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../../support/assay.ts'
import { linesOf } from '../../support/files.ts'
import { tuning } from './tuning.ts'

const program = `import { appendFileSync } from 'node:fs'
const value = name => process.argv.find(word => word.startsWith('--' + name + '='))?.split('=')[1]
const rate = 1 / Number(value('hp-obs-n')) + (value('strategy') === 'raw' ? 0 : 0.5)
appendFileSync(process.env.ASSAY_METRICS_FILE, JSON.stringify({ submission_rate: rate }) + '\\n')
`

const quickTest = `program: scripts/run_sweep.mjs
method: grid
metric: { name: submission_rate, goal: maximize }
parameters:
  strategy: { values: [raw, observation_masking] }
  hp-obs-n: { values: [5, 10, 15] }
command: ["\${env}", node, "\${program}", "\${args}", --wandb, --wandb-project=complexity-trap]
`

it('Cascade’s command lines work after replacing the program name', async () => {
  const cwd = folderWith({ 'scripts/run_sweep.mjs': program, 'sweeps/quick_test.yaml': quickTest })
  const made = await assay(['sweep', 'sweeps/quick_test.yaml', '--project', 'complexity-trap-test'], { cwd })
  const [, id = ''] = /^ {2}assay worker ([0-9a-f]{8})$/m.exec(made.stdout) ?? []
  const sweep = `somebody/complexity-trap-test/${id}`
  const one = await assay(['agent', sweep, '--count', '1', '--json'], { cwd })
  expect({ status: one.status, ...summaryOf(one) }).toMatchObject({ status: 0, completed: 1, attempts: 1 })
  const five = await assay(['agent', sweep, '--count', '5', '--json'], { cwd })
  expect({ status: five.status, ...summaryOf(five) }).toMatchObject({ status: 0, completed: 6, attempts: 6 })
  const rest = await assay(['agent', id, '--project', 'complexity-trap-test', '--entity', 'somebody', '--json'], {
    cwd,
  })
  expect({ status: rest.status, ...summaryOf(rest) }).toMatchObject({ status: 0, planned: 6, attempts: 6 })

  const best = JSON.parse((await assay(['sweep', 'best', sweep, '--json'], { cwd })).stdout)
  expect(best).toMatchObject({ params: { strategy: 'observation_masking', 'hp-obs-n': 5 }, value: 0.7, ci: null })
  const written = await assay(['sweep', 'best', sweep, '--write', 'sweeps/best.yaml'], { cwd })
  expect(written.status, written.stderr).toBe(0)
  const again = await assay(['run', 'sweeps/best.yaml', '--json'], { cwd })
  expect(summaryOf(again), again.stderr).toMatchObject({ completed: 5 })
})

it("accepts W&B's short options, and reports that runs on its servers are not imported", async () => {
  const cwd = folderWith(tuning)
  const made = await assay(['sweep', 'tuning.yaml', '-p', 'demo', '-e', 'team', '--prior_run', 'abc', '--json'], {
    cwd,
  })
  expect(made.stderr).toBe('abc: runs on the servers of W&B are not imported; the sweep starts without them\n')
  const { id } = JSON.parse(made.stdout)
  const listed = await assay(['sweep', 'list', '-p', 'demo', '-e', 'team'], { cwd })
  expect(listed.stdout).toContain(id)
})

it('the winner of a sweep with nested parameters gets the same arguments as in the sweep', async () => {
  const nested = `program: program.mjs
method: grid
metric: { name: score, goal: maximize }
parameters:
  optimizer: { parameters: { lr: { values: [0.5, 0.25] }, name: { value: adam } } }
  fast: { values: [true] }
command: [node, "\${program}", "\${args}"]
`
  const says = `import { appendFileSync } from 'node:fs'
appendFileSync('said', process.argv.slice(2).join(' ') + '\\n')
appendFileSync(process.env.ASSAY_METRICS_FILE, '{"score": ' + (process.argv.join().includes('0.25') ? 1 : 0) + '}\\n')
`
  const cwd = folderWith({ 'program.mjs': says, 'nested.yaml': nested })
  await assay(['run', 'nested.yaml', '-q'], { cwd })
  const written = await assay(['sweep', 'best', 'results/nested', '--write', 'w.yaml'], { cwd })
  expect(written.status, written.stderr).toBe(0)
  await assay(['run', 'w.yaml', '-q', '--first', '1'], { cwd })
  const said = linesOf(join(cwd, 'said'))
  expect(said.slice(0, 2)).toContain(said[2])
  expect(said[2]).toContain('0.25')
})

it('run accepts an id too, and looks for it under --out-root', async () => {
  const cwd = folderWith({ ...tuning, 'far/away/x': '' })
  const { id } = JSON.parse((await assay(['sweep', 'tuning.yaml', '--json'], { cwd })).stdout)
  const ended = await assay(['run', id, '--out-root', '../..', '--json'], { cwd: `${cwd}/far/away` })
  expect(summaryOf(ended), ended.stderr).toMatchObject({ completed: 24 })
})
