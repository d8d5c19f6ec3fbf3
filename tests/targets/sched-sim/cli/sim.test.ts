import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { simCommand } from '../../../../src/cli/commands/more/sim.ts'
import { fakeIo } from '../../../cli/fake-io.ts'
import { assay, folderWith } from '../../../support/assay.ts'

const files = ['summary.csv', 'tiers.csv', 'trace.json', 'workflows.csv']
const readAll = (folder: string) => files.map(file => readFileSync(join(folder, file), 'utf8'))

// Every flag, spelt as there.
const everyFlag =
  '--workflows 4 --pdfs 3 --iters 2 --subqueries 2 --policy full --seed 9 --time_scale 10 --out_dir a/b --enable_model_routing --disable_hedging --disable_escalation --disable_dag_priority --heavy_tail_prob 0.1 --heavy_tail_mult 5'.split(
    ' ',
  )

test('every flag of agent_sched_sim works, with its output lines', async () => {
  const cwd = folderWith()
  const ended = await assay(['sim', ...everyFlag], { cwd })
  expect(ended).toMatchObject({ status: 0, stderr: '' })
  expect(ended.stdout.replaceAll(/=\d+\.\d+$/gm, '=<number>')).toMatchInlineSnapshot(`
    "agent_sched_sim config:
      workflows=4
      pdfs=3
      iters=2
      subqueries=2
      policy=full
      seed=9
      time_scale=10
      out_dir=a/b
      enable_model_routing=true
      disable_hedging=true
      disable_escalation=true
      disable_dag_priority=true
      heavy_tail_prob=<number>
      heavy_tail_mult=5
    summary:
      makespan_mean_ms=<number>
      makespan_p95_ms=<number>
      cost_mean=<number>
    outputs: a/b/summary.csv, a/b/workflows.csv, a/b/tiers.csv, a/b/trace.json
    "
  `)
  expect(readdirSync(join(cwd, 'a/b')).sort()).toEqual(files)
})

test('the last of a repeated flag counts, and the default folder is out', async () => {
  const cwd = folderWith()
  const { stdout } = await assay(['sim', '--workflows', '3', '--workflows', '2', '--policy', 'dag_cheapest'], { cwd })
  expect(stdout).toContain('workflows=2\n')
  expect(stdout).toContain('outputs: out/summary.csv, out/workflows.csv, out/tiers.csv, out/trace.json\n')
  expect(readdirSync(join(cwd, 'out')).sort()).toEqual(files)
})

test('-h explains every flag and exits with 0', async () => {
  const { status, stdout } = await assay(['sim', '-h'], { cwd: folderWith() })
  expect(status).toBe(0)
  for (const flag of everyFlag.filter(word => word.startsWith('--')))
    expect(stdout, flag).toContain(`${flag.replaceAll('_', '-')} `)
})

test('without routing it reports that full equals dag_cheapest', async () => {
  const { stderr } = await assay(['sim', '--workflows', '2'], { cwd: folderWith() })
  expect(stderr).toContain(
    'without --enable_model_routing nothing is escalated or hedged: full is the same as dag_cheapest',
  )
})

test('--json prints the summary as one document', async () => {
  const cwd = folderWith()
  const { stdout } = await assay(['sim', '--workflows', '2', '--json', '--enable_model_routing', '--trace', 'none'], {
    cwd,
  })
  expect(JSON.parse(stdout)).toMatchObject({
    kind: 'sim',
    out_dir: join(cwd, 'out'),
    makespan_mean_ms: expect.any(Number),
    workflows: 2,
    completed: 2,
  })
  expect(readdirSync(join(cwd, 'out')).sort()).toEqual(['summary.csv', 'tiers.csv', 'workflows.csv'])
})

test('the same line gives the same bytes, whatever the time scale', async () => {
  const cwd = folderWith()
  const line = (outDir: string, scale: string) =>
    assay(['sim', '--workflows', '8', '--enable_model_routing', '--time_scale', scale, '--out_dir', outDir], { cwd })
  await line('a', '50')
  await line('b', '1')
  expect(readAll(join(cwd, 'a'))).toEqual(readAll(join(cwd, 'b')))
})

test('a printed model gives the same bytes as its source', async () => {
  const latencies = Array.from({ length: 50 }, (_, index) => 40 + index * index).join('\n')
  const model =
    'steps: { ask: { on: llm_provider, for_each: [pdfs], critical: true, service_ms: { kind: fit, csv: ms.csv, column: ms } } }\n'
  const cwd = folderWith({ 'own/model.yaml': model, 'own/ms.csv': `ms\n${latencies}\n` })
  const routed = ['sim', '--workflows', '20', '--enable_model_routing']
  for (const flags of [
    ['--original_rules', '--arrivals', 'poisson:0.5', '--heavy_tail_prob', '0.1'],
    ['--model', 'own/model.yaml'],
  ]) {
    const printed = await assay([...routed, ...flags, '--print-model'], { cwd })
    const json = await assay([...routed, ...flags, '--print-model', '--json'], { cwd })
    const printedIn = folderWith({ 'model.yaml': printed.stdout, 'model.json': json.stdout })
    await assay([...routed, ...flags, '--out_dir', 'first'], { cwd })
    for (const file of ['model.yaml', 'model.json']) {
      await assay([...routed, '--model', join(printedIn, file), '--out_dir', 'again'], { cwd })
      expect(readAll(join(cwd, 'again'))).toEqual(readAll(join(cwd, 'first')))
    }
  }
})

test('without a completed workflow it reports a missing makespan', async () => {
  const cwd = folderWith({ 'poor.yaml': 'budget_per_workflow: 0.02\n' })
  const line = ['sim', '--workflows', '3', '--enable_model_routing', '--model', 'poor.yaml']
  const said = await assay(line, { cwd })
  expect(said).toMatchObject({ status: 0, stdout: expect.stringContaining('makespan_mean_ms=none\n') })
  const json = JSON.parse((await assay([...line, '--json'], { cwd })).stdout)
  expect(json).toMatchObject({ makespan_mean_ms: null, completed: 0, out_of_budget: 3 })
})

test('on a terminal a long simulation shows progress, and clears the line', async () => {
  const io = fakeIo('', { isTTY: true, cwd: folderWith() })
  const options = {
    workflows: '2000',
    pdfs: '1',
    subqueries: '0',
    iters: '1',
    policy: 'fifo_cheapest',
    trace: 'none' as const,
  }
  expect(await simCommand([], options, io)).toBe(0)
  expect(io.stderr.text()).toContain('\r50% of 2000 workflows')
  expect(io.stderr.text().endsWith('\r\u001b[K')).toBe(true)
})

describe('errors exit with 2, and nothing is written', () => {
  const cyclic = 'steps: { a: { on: cpu, after: [b], service_ms: 1 }, b: { on: cpu, after: [a], service_ms: 1 } }\n'
  test.each([
    ['--workflows -5', 'workflows: expected a whole number'],
    ['--heavy_tail_prob 1.2', 'heavy_tail_prob: expected a probability from 0 to 1, got 1.2'],
    ['--policy ful', 'policy: expected one of fifo_cheapest'],
    ['--seed -1', 'seed: expected a whole number from 0'],
    ['--heavy_tail_mult 0.5x', 'heavy_tail_mult: expected a number above 0, got "0.5x"'],
    ['--polcy full', '--policy'],
    ['--model cyclic.yaml', 'the step waits for itself: a → b → a'],
    ['--model missing.yaml', 'missing.yaml: no such file'],
    ['--arrivals trace:short.csv', 'has 2 arrivals, and 100 workflows are wanted'],
    ['--arrivals trace:cyclic.yaml', 'there is no column "arrival_ms"'],
    ['--pdfs 100000 --subqueries 1000', 'nodes and links'],
  ])('%s', async (line, message) => {
    const cwd = folderWith({ 'cyclic.yaml': cyclic, 'short.csv': 'arrival_ms\n1\n2\n' })
    const ended = await assay(['sim', ...line.split(' ')], { cwd })
    expect(ended).toMatchObject({ status: 2, stdout: '' })
    expect(ended.stderr).toContain(message)
    expect(readdirSync(cwd).sort()).toEqual(['cyclic.yaml', 'short.csv'])
  })
})
