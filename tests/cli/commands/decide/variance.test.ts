import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../../../support/assay.ts'

/** Reward climbs to a height that depends on the seed, by 2%, and with the noisy arm by 20%. */
const learner = `export default ({ arm, points }, { block, report }) => {
  const height = 1 + (arm === 'noisy' ? 0.2 : 0.02) * Math.sin(7 * block.seed)
  for (let step = 1; step <= points; step++) report('overview/reward', height * (1 - Math.exp(-step / 10)), step)
}
`
const experiment = `name: pilot
target: { kind: function, module: learn.mjs }
params: { points: 80 }
factors: { arm: [calm, noisy] }
seeds: 1..15
naming: "{name}.{arm}.seed{seed}"
`

async function ran(...more: readonly string[]): Promise<string> {
  const cwd = folderWith({ 'learn.mjs': learner, 'experiment.yaml': experiment })
  const { status, stderr } = await assay(['run', ...more], { cwd })
  expect(status, stderr).toBe(0)
  return cwd
}

const names = (arm: string) => Array.from({ length: 15 }, (_, index) => `pilot.${arm}.seed${index + 1}`)

describe('assay variance', () => {
  it('shows and draws the first of many variants, and gives their number', async () => {
    const rows = Array.from({ length: 70 }, (_, arm) =>
      [1, 2, 3].map(seed => `${arm},${seed},${10 + ((arm * seed) % 5)}`),
    )
    const cwd = folderWith({ 'runs.csv': `arm,seed,score\n${rows.flat().join('\n')}\n` })
    const args = ['variance', 'runs.csv', '--group', 'arm', '--metric', 'score', '--output', 'none']
    const { stdout } = await assay(args, { cwd })
    expect(stdout.match(/^Variant: /gm)).toHaveLength(60)
    expect(stdout).toContain('the first 60 of 70 variants: --json has the numbers of all, --filter chooses others')
    expect(JSON.parse((await assay([...args, '--json'], { cwd })).stdout).variances).toHaveLength(70)
  })

  it('accepts runs by name, as in Metta’s pipeline, and draws them', async () => {
    const cwd = await ran()
    const options = ['--metric', 'overview/reward', '--threshold', '0.05', '--output', 'variance_plot.png']
    const { status, stdout, stderr } = await assay(['variance', ...names('calm'), ...options], { cwd })
    expect(status, stderr).toBe(0)
    const [sentence = '', , rule, title] = stdout.split('\n')
    expect(sentence).toMatch(/^overview\/reward \(AUC\) varies by less than 5% between runs: CV 1\.\d+% \(95% CI /)
    expect([rule, title]).toEqual(['='.repeat(70), 'VARIANCE ANALYSIS RESULTS'])
    for (const text of ['Runs analysed: 15\n', 'AUC Variance', 'Derivative Variance', '“first N with CV < 5%”'])
      expect(stdout).toContain(text)
    expect(readFileSync(join(cwd, 'variance_plot.png')).subarray(1, 4).toString()).toBe('PNG')
    expect(existsSync(join(cwd, 'variance_analysis.png'))).toBe(false)
  })

  it('counts runs in the given order, and refuses duplicates', async () => {
    const cwd = await ran()
    const order = names('calm').toReversed()
    const { stdout } = await assay(['variance', ...order, '--json', '--output', 'none'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ runs: order, left_out: [], threshold: 0.05, variant: null })
    const twice = await assay(['variance', 'pilot.calm.seed1', 'pilot.calm.seed1'], { cwd })
    expect(twice.status).toBe(2)
    expect(complaint(twice, { cwd })).toContain('the run pilot.calm.seed1 is named twice')
  })

  it('analyses each variant of a directory separately, with a chart of each', async () => {
    const cwd = await ran()
    const { status, stdout, stderr } = await assay(['variance', 'results/pilot', '--json', '--output', 'v.svg'], {
      cwd,
    })
    expect(status, stderr).toBe(0)
    const { kind, variances } = JSON.parse(stdout)
    expect(kind).toBe('variances')
    expect(variances.map((one: { variant: string; runs: string[] }) => [one.variant, one.runs.length])).toEqual([
      ['calm', 15],
      ['noisy', 15],
    ])
    for (const file of ['v-calm.svg', 'v-noisy.svg']) expect(readFileSync(join(cwd, file), 'utf8')).toContain('<svg')
    const one = await assay(['variance', 'results/pilot', '--filter', 'arm=noisy', '--output', 'none'], { cwd })
    expect(one.stdout.split('\n')[0]).toContain(
      'varies by more than 5% between runs, which no number of runs will change',
    )
  })

  it('writes variance_analysis.png by default', async () => {
    const cwd = await ran('--filter', 'arm=calm')
    expect((await assay(['variance', 'results/pilot'], { cwd })).stdout).toContain('Plot: variance_analysis.png')
    expect(existsSync(join(cwd, 'variance_analysis.png'))).toBe(true)
  })

  it('names unusable runs, and exits with 2 if too few are left', async () => {
    const cwd = await ran('--set', 'points=30', '--filter', 'arm=calm')
    const few = await assay(['variance', 'results/pilot', '--output', 'none'], { cwd })
    expect(few.status).toBe(2)
    expect(complaint(few, { cwd })).toContain('left out: pilot.calm.seed')
    const whole = await assay(['variance', 'results/pilot', '--window', 'all', '--output', 'none'], { cwd })
    expect(whole.status, whole.stderr).toBe(0)
  })

  it('reads tables: a row for each run, or for each point', async () => {
    const points = Array.from({ length: 60 }, (_, step) => ['a', 'b', 'c'].map((run, at) => `${run},${step},${5 + at}`))
    const cwd = folderWith({
      'runs.csv': 'run_id,score\na,10\nb,11\nc,NaN\nd,12\n',
      'points.csv': `run,step,score\n${points.flat().join('\n')}\n`,
    })
    const runs = await assay(['variance', 'runs.csv', '--metric', 'score', '--output', 'none'], { cwd })
    expect(runs.stdout, runs.stderr).toContain('! left out: c: its value is NaN')
    expect(runs.stdout).toContain('Runs analysed: 3 of 4')
    const series = ['variance', 'points.csv', '--run', 'run', '--step', 'step', '--metric', 'score', '--output', 'none']
    expect((await assay(series, { cwd })).stdout).toContain('final CV at N=3  16.7%')
  })

  it.each([
    [['results/pilot', 'pilot.calm.seed1'], 'give runs or experiments, not both'],
    [['pilot.calm.seed99'], 'there is no run "pilot.calm.seed99"'],
    [['results/pilot', '--threshold', '0'], 'expected a share above 0'],
    [['results/pilot', '--output', 'x.gif'], 'give a file that ends in .svg or .png'],
    [['results/pilot', '--metric', 'rewrd'], 'no run has a metric "rewrd"'],
  ])('%j is an error', async (args, words) => {
    const cwd = await ran('--filter', 'seed <= 2')
    const ended = await assay(['variance', ...args], { cwd })
    expect(ended.status).toBe(2)
    expect(complaint(ended, { cwd })).toContain(words)
  })
})
