import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Comparison } from '../../../../src/analyze/compare/compare.ts'
import { runCli } from '../../../../src/cli/run-cli.ts'
import { assayInProcess } from '../../../support/in-process.ts'
import { journalRows } from '../../../support/journal.ts'
import { fakeIo } from '../../fake-io.ts'

/** A learner of forty steps whose reward rises faster in one architecture; seeds shift both alike. */
const learner = `
import { appendFileSync } from 'node:fs'
const { arch } = JSON.parse(process.env.ASSAY_PARAMS)
const seed = Number(process.env.ASSAY_SEED)
const lines = Array.from({ length: 80 }, (_, index) => {
  const step = (index + 1) * 10
  const reward = seed + (arch === 'trxl' ? 1.5 : 1) * (1 - Math.exp(-step / 200)) + 0.02 * Math.sin(step * (seed % 7) + (arch === 'trxl' ? 1 : 0))
  return JSON.stringify({ step, 'overview/reward': reward })
})
const last = { parameters: arch === 'trxl' ? 1200 : 1000, cost_usd: arch === 'trxl' ? 0.5 + seed / 100 : 0.4 + seed / 90 }
appendFileSync(process.env.ASSAY_METRICS_FILE, [...lines, JSON.stringify(last)].join('\\n') + '\\n')
`
const definition = (name: string) => `
name: ${name}
target: { kind: command, command: [node, learner.mjs] }
factors: { arch: [vit_reset, trxl] }
seeds: 1..6
metrics: { overview/reward: { goal: maximize, primary: true }, cost_usd: { goal: minimize }, parameters: { goal: minimize } }
`

let cwd = ''
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'assay-compare-'))
  writeFileSync(join(cwd, 'learner.mjs'), learner)
  for (const name of ['first', 'second']) {
    writeFileSync(join(cwd, `${name}.yaml`), definition(name))
    expect(await assayInProcess(['run', `${name}.yaml`, '-q'], { cwd })).toMatchObject({ status: 0 })
  }
  writeFileSync(
    join(cwd, 'third.yaml'),
    definition('third').replace('learner.mjs]', 'learner.mjs, --curriculum, terrain_2]'),
  )
  expect(await assayInProcess(['run', 'third.yaml', '-q', '--out-root', 'elsewhere'], { cwd })).toMatchObject({
    status: 0,
  })
})
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

async function say(...words: string[]) {
  const io = fakeIo(['compare', ...words], { cwd })
  const status = await runCli(io)
  return { status, stdout: io.stdout.text(), stderr: io.stderr.text() }
}

async function told(...words: string[]): Promise<Comparison> {
  const { status, stdout, stderr } = await say(...words, '--json')
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return JSON.parse(stdout)
}

const runsOf = (arch: string, experiment = 'first') =>
  journalRows<{ name: string }>(
    join(cwd, 'results', experiment),
    `SELECT name FROM runs WHERE name LIKE '%${arch}%' ORDER BY name`,
  ).map(({ name }) => name)

describe('an experiment directory', () => {
  it('is compared on its primary metric, its only factor, paired by its blocks', async () => {
    const found = await told('results/first')
    expect(found).toMatchObject({
      metric: 'overview/reward',
      summary: null,
      control: 'vit_reset',
      candidate: 'trxl',
      verdict: 'better',
      n: { control: 6, candidate: 6, pairs: 6, dropped: 0 },
      pairing: { by: ['seed'], unmatched: [] },
    })
    // At its last step, 800: 0.5 (1 − exp(−4)), plus the average of the sines over the seeds.
    const sines = [1, 2, 3, 4, 5, 6].map(seed => Math.sin(800 * seed + 1) - Math.sin(800 * seed))
    const known = 0.5 * (1 - Math.exp(-4)) + (0.02 * sines.reduce((sum, sine) => sum + sine, 0)) / 6
    expect(found.estimate).toBeCloseTo(known, 12)
    expect(found.warnings.join()).toContain('the arms differ in capacity: trxl has 20% more parameters')
  })

  it('the same command gives the same bytes', async () => {
    const line = ['results/first', '--method', 'bca', '--seed', '7']
    expect((await say(...line)).stdout).toBe((await say(...line)).stdout)
    expect((await say(...line, '--json')).stdout).toBe((await say(...line, '--json')).stdout)
  })

  it('prints the sentence first', async () => {
    const { stdout } = await say('results/first', '--metric', 'cost_usd')
    expect(stdout.split('\n')[0]).toMatch(
      /^trxl is more expensive than vit_reset by \$0\.09\d \(95% CI .*\), paired on 6 seeds\.$/,
    )
    expect(
      (await say('results/first', '--metric', 'cost_usd', '--output.print_table', 'false')).stdout.split('\n'),
    ).toHaveLength(2)
  })

  it('accepts levels, also after a filter', async () => {
    const found = await told(
      'results/first',
      '--control',
      'arch=trxl',
      '--candidate',
      'arch=vit_reset',
      '--filter',
      'seed <= 4',
    )
    expect(found).toMatchObject({ candidate: 'vit_reset', verdict: 'worse', n: { pairs: 4 } })
    expect(await say('results/first', '--control', 'arch=trx')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no run has arch=trx'),
    })
  })

  it('treats seeds as noise if unpaired', async () => {
    expect(await told('results/first', '--unpaired')).toMatchObject({
      pairing: null,
      n: { pairs: null },
      verdict: 'inconclusive',
    })
  })

  it('several are compared as a whole, level by level', async () => {
    const found = await told('results/first', 'results/second')
    expect(found).toMatchObject({
      control: 'first',
      candidate: 'second',
      estimate: 0,
      pairing: { by: ['seed', 'arch'] },
    })
    expect(found).toMatchObject({ ci: null, p: null, reason: 'zero variance', verdict: 'inconclusive' })
    expect(found.warnings.join()).not.toContain('different definitions')
  })
})

it('experiments with different commands are distinguished', async () => {
  const { warnings } = await told('results/first', 'elsewhere/third')
  expect(warnings).toContainEqual(expect.stringContaining('the arms were run by different definitions'))
})

describe('how a series becomes a number', () => {
  it.each([
    [['--summary', 'last'], 'last'],
    [['--summary', 'mean'], 'mean'],
    [['--summary', 'best', '--window', 'first:50%'], 'best of the first 50% of the points'],
    [['--summary', 'slope', '--window', 'all'], 'slope'],
    [['--summary', 'auc', '--window', 'last:50%steps'], 'auc of the last 50% of the steps'],
    [['--summary', 'auc', '--window', 'steps:100..500'], 'auc of steps 100 to 500'],
    [['--summary', 'time-to:1.5'], 'steps to 1.5'],
    [['--summary', 'eval-last:3'], 'mean of the last 3 points'],
    [['--summary.type', 'eval_last_n', '--summary.n', '3'], 'mean of the last 3 points'],
    [
      ['--summary.type', 'auc', '--summary.percent', '0.5', '--summary.percent_window', 'first'],
      'auc of the first 50% of the points',
    ],
    [['--summary.type', 'auc', '--summary.step_min', '100', '--summary.step_max', '500'], 'auc of steps 100 to 500'],
  ])('%s', async (words, summary) => {
    const found = await told('results/first', ...words)
    expect(found.summary).toBe(summary)
    expect(found.estimate).not.toBeNull()
  })

  it('the whole area is the mean times the covered steps', async () => {
    const mean = await told('results/first', '--summary', 'auc', '--window', 'steps:100..500')
    const area = await told(
      'results/first',
      '--summary',
      'auc',
      '--window',
      'steps:100..500',
      '--summary.normalize_steps',
      'false',
    )
    expect(area.summary).toBe('area of steps 100 to 500')
    expect(area.estimate).toBeCloseTo((mean.estimate ?? 0) * 400, 6)
  })

  it('two spellings of a window are equivalent', async () => {
    const one = await told('results/first', '--summary', 'auc', '--window', 'steps:100..500')
    const other = await told('results/first', '--summary.step_min', '100', '--summary.step_max', '500')
    expect(other).toEqual(one)
  })

  it('too few points for an area give a reason', async () => {
    const { stdout } = await say('results/first', '--window', 'steps:10..50', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ estimate: null, reason: 'no data' })
    expect(JSON.parse(stdout).warnings.join()).toContain('6 too few values')
  })

  it('reports runs that never reached the value', async () => {
    const { warnings } = await told('results/first', '--summary', 'time-to:4.2')
    expect(warnings.join('\n')).toContain('runs that never got there are left out')
  })
})

describe('named runs', () => {
  it('as two lists are compared unpaired', async () => {
    const found = await told(
      '--control-run-ids',
      ...runsOf('vit', 'first'),
      '--candidate-run-ids',
      ...runsOf('trxl', 'first'),
      '--out-root',
      'results/first',
    )
    expect(found).toMatchObject({
      control: 'control',
      candidate: 'candidate',
      pairing: null,
      n: { control: 6, candidate: 6 },
    })
    expect(found.goal).toBe('maximize')
    expect(found.warnings).toContainEqual('the arms differ in arch: control has vit_reset, candidate has trxl')
  })

  const pairs = () => runsOf('vit').map((control, at) => ({ control, candidate: runsOf('trxl')[at], seed: at + 1 }))

  it('as pairs, in one list or one by one, are paired', async () => {
    const list = await told(
      '--pairs',
      JSON.stringify(pairs()),
      '--metric',
      'overview/reward',
      '--out-root',
      'results/first',
    )
    const each = await told(
      '--pairs',
      ...pairs().map(pair => JSON.stringify(pair)),
      '--metric',
      'overview/reward',
      '--out-root',
      'results/first',
    )
    expect(each).toEqual(list)
    expect(list.summary).toBe('auc of the last 25% of the points')
    const { estimate, ci, p, n } = await told('results/first', '--summary', 'auc')
    expect(list).toMatchObject({ estimate, ci, p, n })
    expect(list.sentence).toMatch(/, on 6 pairs$/)
  })

  it('must exist once, with the stated seed', async () => {
    const [first = '', second = ''] = runsOf('vit')
    const bad = async (...words: string[]) => (await say(...words, '--out-root', 'results/first')).stderr
    expect(await bad('--control-run-ids', 'nobody', '--candidate-run-ids', first)).toContain('there is no run "nobody"')
    expect(await bad('--control-run-ids', first, first, '--candidate-run-ids', second)).toContain(
      'named twice as control',
    )
    expect(await bad('--control-run-ids', first)).toContain('both --control-run-ids and --candidate-run-ids')
    expect(await bad('--pairs', JSON.stringify({ control: first, candidate: second, seed: 99 }))).toContain('not 99')
    expect(await bad('--pairs', '{"control": 1}')).toContain('expected {"control": "<run>"')
    expect(await bad('--pairs', '[]')).toContain('the list is empty')
    expect(await bad('--pairs', JSON.stringify(pairs()[0]), '--control-run-ids', first)).toContain('not both')
  })

  it('in two experiments are ambiguous unless their folder is given', async () => {
    const [run = ''] = runsOf('vit')
    const [other = ''] = runsOf('trxl')
    const { status, stderr } = await say(
      '--control-run-ids',
      run,
      '--candidate-run-ids',
      other,
      '--out-root',
      'results',
    )
    expect(status).toBe(2)
    expect(stderr).toContain(
      `"${run}" is ambiguous: ${join(cwd, 'results/first/runs', run)}, ${join(cwd, 'results/second/runs', run)}`,
    )
    const found = await told(
      '--control-run-ids',
      `results/first/runs/${run}`,
      '--candidate-run-ids',
      `results/second/runs/${run}`,
    )
    expect(found).toMatchObject({ estimate: 0, reason: 'too few values' })
  })

  it('with different seeds cause a warning', async () => {
    const [control] = runsOf('vit')
    const [, candidate] = runsOf('trxl')
    const { warnings } = await told('--pairs', JSON.stringify({ control, candidate }), '--out-root', 'results/first')
    expect(warnings).toContainEqual('1 pair of runs with different seeds: 1')
  })
})

describe('tables', () => {
  const table = (name: string, text: string) => {
    writeFileSync(join(cwd, name), text)
    return name
  }

  it('CSV: booleans are yes or no', async () => {
    const rows = [1, 2, 3, 4, 5, 6].flatMap(task => [`a,t${task},${task % 2 === 0}`, `b,t${task},True`])
    const file = table('solved.csv', `model,task,solved\n${rows.join('\n')}\n`)
    const found = await told(file, '--group', 'model', '--pair-by', 'task', '--metric', 'solved', '--goal', 'maximize')
    expect(found).toMatchObject({ yes_no: true, estimate: 0.5, unit: 'task', ci: { method: 'score' } })
  })

  it('JSONL: without anything to pair by, every row counts', async () => {
    const rows = [1, 2, 3, 4, 5].flatMap(x => [
      JSON.stringify({ model: 'a', score: x }),
      JSON.stringify({ model: 'b', score: x + 9 }),
    ])
    const found = await told(table('scores.jsonl', rows.join('\n')), '--group', 'model', '--metric', 'score')
    expect(found).toMatchObject({ estimate: 9, n: { control: 5, candidate: 5, pairs: null }, unit: 'run' })
  })

  it('points of series, with the columns of run and step named', async () => {
    const rows = ['a', 'b'].flatMap(model =>
      [1, 2, 3].flatMap(seed =>
        [30, 10, 20].map(
          step => `${model}${seed},${model},${seed},${step},${step + seed + (model === 'b' ? seed * 2 : 0)}`,
        ),
      ),
    )
    const file = table('series.csv', `run,model,seed,step,reward\n${rows.join('\n')}\n`)
    const found = await told(
      file,
      '--group',
      'model',
      '--pair-by',
      'seed',
      '--run',
      'run',
      '--step',
      'step',
      '--metric',
      'reward',
      '--summary',
      'last',
    )
    expect(found).toMatchObject({ estimate: 4, n: { pairs: 3 }, summary: 'last' })
  })

  it('NaN is an error unless it may be left out; blanks and text are not numbers', async () => {
    const rows = ['a,1,1', 'a,2,2', 'a,3,NaN', 'a,4,4', 'b,1,3', 'b,2,5', 'b,3,6', 'b,4,']
    const file = table('nan.csv', `m,k,score\n${rows.join('\n')}\n`)
    const line = [file, '--group', 'm', '--pair-by', 'k', '--metric', 'score']
    expect(await say(...line)).toMatchObject({ status: 2, stderr: expect.stringContaining('the value is NaN') })
    const found = await told(...line, '--missing', 'omit')
    expect(found).toMatchObject({ n: { pairs: 2, dropped: 2 } })
    expect(found.missing).toMatchObject({
      control: [{ reason: 'the value is NaN' }],
      candidate: [{ reason: 'blank' }],
    })
    expect((await told(...line, '--missing', 'zero')).n).toMatchObject({ pairs: 4, dropped: 0 })
    expect(await say(...line, '--missing', 'refuse')).toMatchObject({ status: 2 })
  })

  it('text among the numbers is an error like NaN, unless it may be left out', async () => {
    const file = table('text.csv', 'm,k,score\na,1,1\na,2,12 s\na,3,4\nb,1,3\nb,2,5\nb,3,7\n')
    const line = [file, '--group', 'm', '--pair-by', 'k', '--metric', 'score']
    expect(await say(...line)).toMatchObject({ status: 2, stderr: expect.stringContaining('not a number: "12 s"') })
    expect((await told(...line, '--missing', 'omit')).n).toMatchObject({ pairs: 2, dropped: 1 })
  })

  it('every column can be used in a filter, and a missing column is named', async () => {
    const rows = [1, 2, 3].flatMap(k => [`a,${k},x,${k}`, `b,${k},x,${k * 2}`, `b,${k + 5},y,100`])
    const file = table('filter.csv', `m,k,repo,score\n${rows.join('\n')}\n`)
    expect(
      (
        await told(file, '--group', 'm', '--pair-by', 'k', '--metric', 'score', '--filter', "repo == 'x'")
      ).warnings.join(),
    ).not.toContain('partner')
    expect(await say(file, '--group', 'model', '--metric', 'score')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('has no column "model"'),
    })
    expect((await say(file, '--metric', 'score')).stderr).toContain('--group names the columns')
  })
})

describe('output files', () => {
  it('CSV: the four columns and rows of Metta’s pipeline', async () => {
    await say('results/first', '--metric', 'cost_usd', '--output.csv_path', 'paired.csv')
    const [head, ...rows] = readFileSync(join(cwd, 'paired.csv'), 'utf8').trim().split('\n')
    expect(head).toMatch(/^group,label,value_or_control,candidate_value_optional,/)
    const [vit = ''] = runsOf('vit')
    const [trxl = ''] = runsOf('trxl')
    expect(rows[0]).toBe(`paired,${vit} vs ${trxl},0.411111111,0.51,cost_usd,1`)
    expect(rows.slice(6, 9).map(row => row.split(',').slice(0, 2).join())).toEqual([
      'result,effect',
      'result,ci_low',
      'result,ci_high',
    ])
    await say('results/first', '--metric', 'cost_usd', '--unpaired', '--output.csv_path', 'apart.csv')
    const apart = readFileSync(join(cwd, 'apart.csv'), 'utf8').split('\n')
    expect(apart[1]).toBe(`control,${vit},0.411111111,,cost_usd,`)
    expect(apart[7]).toBe(`candidate,${trxl},0.51,,cost_usd,`)
  })

  it('charts, in the format of the file name', async () => {
    expect((await say('results/first', '--summary', 'auc', '--output', 'all.svg')).status).toBe(0)
    const svg = readFileSync(join(cwd, 'all.svg'), 'utf8')
    for (const text of ['Bootstrap distribution', 'Q–Q plot', 'overview/reward over steps', 'relative to vit_reset'])
      expect(svg).toContain(text)
    expect((await say('results/first', '--metric', 'cost_usd', '--output', 'one.png')).status).toBe(0)
    expect(readFileSync(join(cwd, 'one.png')).subarray(1, 4).toString()).toBe('PNG')
    expect(await say('results/first', '--output', 'x.gif')).toMatchObject({ status: 2 })
    expect(existsSync(join(cwd, 'x.gif'))).toBe(false)
  })

  it('the t test and the power of Metta’s pipeline, by its names', async () => {
    const { stdout } = await say(
      'results/first',
      '--ttest.enabled',
      'true',
      '--power.enabled',
      'true',
      '--power.target_effect_size',
      '0.2',
      '--power.n_sim',
      '50',
      '--power.sample_sizes',
      '[5,10]',
    )
    expect(stdout).toMatch(/paired t +t = /)
    expect(stdout).toContain('(Shapiro–Wilk)')
    expect(stdout).toMatch(/\d+ pairs find a difference of 0\.2 with/)
    const off = await say('results/first', '--ttest.enabled', 'false')
    expect(off.stdout).not.toContain('Shapiro')
  })
})

it('reports the finished share of the plan after run --first', async () => {
  writeFileSync(join(cwd, 'part.yaml'), definition('part'))
  expect(await assayInProcess(['run', 'part.yaml', '-q', '--first', '8'], { cwd })).toMatchObject({ status: 0 })
  const { stdout } = await say('results/part')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('4 of the 12 planned runs have not been made')
})

describe('in a check', () => {
  it.each([
    [0, ['--require', 'better']],
    [0, ['--require', 'not-worse']],
    [1, ['--require', 'equivalent', '--margin', '0.01']],
    [0, ['--require', 'equivalent', '--margin', '0.9']],
    [1, ['--require', 'better', '--control', 'arch=trxl']],
    [1, ['--require', 'not-worse', '--control', 'arch=trxl', '--margin', '5%']],
    [0, ['--control', 'arch=trxl']],
  ])('exits with %s: %s', async (status, words) => {
    expect((await say('results/first', ...words)).status).toBe(status)
  })

  it.each([
    ['better', []],
    ['not-worse', ['--margin', '0.1']],
  ])('a gate %s that passes on fewer than 8 pairs of numbers warns about long tails', async (gate, more) => {
    const words = ['results/first', '--require', gate, ...more]
    const { status, stdout } = await say(...words)
    expect(status).toBe(0)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain("6 seeds in pairs can't rule out one long tail")
    const short = await say(...words, '--output.print_table', 'false')
    expect(short.stderr).toMatch(/^warning: 6 seeds in pairs can't rule out one long tail: .* in 24% \(5% expected\)/m)
  })

  it('explains what a margin is for', async () => {
    expect((await say('results/first', '--unpaired', '--require', 'not-worse')).stderr).toBe(
      'not shown to be not-worse: trxl; not-worse can only be shown within a margin: --margin 2pts\n',
    )
  })
})

const published = fileURLToPath(
  new URL('../../../../../shared/data/complexity-trap/experiment_instance_costs_sweagent.csv', import.meta.url),
)
it.skipIf(!existsSync(published))('reproduces published numbers (skipped if the data is missing)', async () => {
  const group = [
    '--group',
    'experiment',
    '--pair-by',
    'instance_id',
    '--missing',
    'zero',
    '--method',
    'percentile',
    '--rng',
    'numpy',
  ]
  const arms = [
    '--control',
    'experiment=local-qwen3-32b-baseline_raw.0-verified-500',
    '--candidate',
    'experiment=local-qwen3-32b-baseline_N_1_M_10.0-verified-500',
  ]
  const solved = await told(published, ...group, ...arms, '--metric', 'outcome', '--seed', '0')
  expect(solved).toMatchObject({ n: { pairs: 500 }, p: 0.2086 })
  expect(solved.ci?.low).toBeCloseTo(-0.05, 14)
  expect(solved.ci?.high).toBeCloseTo(0.01, 14)
  const cost = await told(published, ...group, ...arms, '--metric', 'cost', '--seed', '1')
  expect(cost.estimate).toBeCloseTo(-0.5631870146, 5)
  expect(cost.ci?.low).toBeCloseTo(-0.7478898, 5)
})

describe('other statistics than means', () => {
  it('accepts a statistic, more tests and rliable\u2019s aggregates', async () => {
    const found = await told(
      'results/first',
      '--metric',
      'cost_usd',
      '--statistic',
      'median',
      '--also',
      'sign,wilcoxon',
    )
    expect(found).toMatchObject({ statistic: 'median', ci: { method: 'percentile' }, test: 'bootstrap' })
    expect(found.other_tests.map(({ test }) => test)).toEqual(['sign', 'Wilcoxon'])
    const { stdout } = await say('results/first', '--metric', 'cost_usd', '--rliable', '--method', 'nested')
    expect(stdout).toMatch(/iqm +\$0\.4\d → \$0\.5\d, difference \$0\.09\d+ \(no interval: every seed has one run\)/)
    expect(stdout).toContain('(nested bootstrap)')
  })

  it.each([
    [['--statistic', 'mode'], 'expected mean, median, iqm, wins, pass@<k> or pass^<k>, e.g. pass@3, got "mode"'],
    [
      ['--statistic', 'pass@2'],
      'pass@2 is about attempts that succeed or don\u2019t, and overview/reward is not only 0 and 1',
    ],
    [['--also', 'anova'], '--also: expected wilcoxon, sign, mann-whitney, brunner-munzel, yuen, got "anova"'],
    [['--also', 'yuen'], '--also yuen is a test of independent groups, and these are pairs'],
    [['--statistic', 'iqm', '--method', 't'], 'the method t is for means, and this is about the iqm'],
  ])('refuses with a reason: %s', async (words, message) => {
    const { status, stderr } = await say('results/first', ...words)
    expect(status).toBe(2)
    expect(stderr).toContain(message.replace('\u2019', "'"))
  })
})

describe('the data of charts', () => {
  it('can be written as data, with provenance', async () => {
    await say('results/first', '--summary', 'auc', '--resamples', '500', '--output', 'figures.json')
    const figures = JSON.parse(readFileSync(join(cwd, 'figures.json'), 'utf8'))
    expect(figures).toMatchObject({
      kind: 'figures',
      learning_curves: {
        metric: 'overview/reward',
        curves: [
          { label: 'vit_reset', n: 6 },
          { label: 'trxl', n: 6 },
        ],
      },
      profile: { baseline: 'vit_reset', axes: [{ metric: 'overview/reward' }, {}, {}] },
      comparisons: [{ candidate: 'trxl', quantiles: [{ sample: { label: 'differences trxl − vit_reset' } }] }],
      provenance: { settings: { resamples: 500 } },
    })
    // At the steps that all series have.
    expect(figures.learning_curves.curves[0].points).toHaveLength(80)
    expect(figures.comparisons[0].bootstrap_distribution.resampled).toHaveLength(500)
  })
})
