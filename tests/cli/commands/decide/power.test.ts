import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith } from '../../../support/assay.ts'

/** Twelve tasks, four rollouts of each under two models; the second is better by about 0.04. */
function pilotTable(): string {
  const wave = (at: number) => Math.sin(at * 12.9898) * 0.5
  const rows = Array.from({ length: 96 }, (_, at) => {
    const [task, rollout, isHybrid] = [Math.floor(at / 8), Math.floor(at / 2) % 4, at % 2 === 1]
    const score = 0.5 + 0.2 * wave(task + 1) + (isHybrid ? 0.04 + 0.06 * wave(50 + task) : 0) + 0.1 * wave(100 + at)
    return `t${task},${rollout},${isHybrid ? 'hybrid' : 'raw'},${score.toFixed(4)},${score > 0.5 ? 1 : 0}`
  })
  return ['task,rollout,model,score,solved', ...rows, ''].join('\n')
}

const pilot = ['pilot.csv', '--group', 'model', '--control', 'model=raw', '--candidate', 'model=hybrid']
const firstLine = (text: string) => text.split('\n')[0]

async function power(args: readonly string[], cwd = folderWith()) {
  const { stdout, stderr, status } = await assay(['power', ...args], { cwd })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

async function refused(args: readonly string[]): Promise<string> {
  const cwd = folderWith({ 'pilot.csv': pilotTable() })
  const ended = await assay(['power', ...args], { cwd })
  expect(ended.status).toBe(2)
  return complaint(ended, { cwd })
}

describe('from numbers alone', () => {
  it('computes the pairs for an effect, and shows neighbouring numbers', async () => {
    expect(await power(['--effect', '0.5'])).toMatchInlineSnapshot(`
      "35 pairs find a difference of 0.5 sd with 80.1% power (at 5%, two-sided).

      pairs  power  finds with 80%  95% interval
          5  14.1%  1.68 sd         ± 1.24 sd
         10  23.9%  1.11 sd         ± 0.809 sd
         15  39.3%  0.819 sd        ± 0.59 sd
         20  52.4%  0.688 sd        ± 0.493 sd
         35  80.1%  0.499 sd        ± 0.354 sd
         40  85.5%  0.464 sd        ± 0.329 sd

      assumed: the differences of pairs are roughly normal; effects are in units of their sd (as compare does: t, and from 7 units on the larger p of t and studentised bootstrap)
      "
    `)
  })

  it('computes the detectable difference and the power of a number of runs', async () => {
    expect(firstLine(await power(['--runs', '15', '--sd', '2', '--unpaired']))).toMatchInlineSnapshot(
      `"15 runs in each arm find a difference of 2.18 or more with 80% power (at 5%, two-sided)."`,
    )
    expect(firstLine(await power(['--n', '15', '--effect', '0.8', '--side', 'greater']))).toMatchInlineSnapshot(
      `"15 pairs find a difference of 0.8 sd with 88.2% power (at 5%, one-sided)."`,
    )
  })

  it('computes the runs for a narrow interval', async () => {
    expect(firstLine(await power(['--half-width', '0.25', '--sd', '1', '--alpha', '0.1']))).toMatchInlineSnapshot(
      `"48 pairs give a 90% interval of ± 0.25."`,
    )
  })

  it('supports yes and no, in groups and in pairs', async () => {
    expect(firstLine(await power(['--base-rate', '0.5', '--effect', '10pts']))).toMatchInlineSnapshot(
      `"392 runs in each arm find a difference of 10 points with 80.1% power (at 5%, two-sided)."`,
    )
    expect(firstLine(await power(['--discordant', '0.2', '--effect', '5pts']))).toMatchInlineSnapshot(
      `"622 pairs find a difference of 5 points with 80% power (at 5%, two-sided)."`,
    )
    expect(firstLine(await power(['--discordant', '0.2', '--runs', '10']))).toMatchInlineSnapshot(
      `"No difference that is possible here is found by 10 pairs with 80% power."`,
    )
  })

  it('weighs tasks against rollouts', async () => {
    const varying = ['--task-sd', '0.33', '--rollout-sd', '0.4', '--task-cost', '1', '--rollout-cost', '0.2']
    expect(await power(['--effect', '3pts', ...varying])).toMatchInlineSnapshot(`
      "1886 tasks × 3 rollouts in each arm find a difference of 0.03 with 80% power for $4149.20: the cheapest way.

      rollouts  tasks    runs      cost  finds
             1   3746    7492  $5244.40   0.03
             2   2351    9404  $4231.80   0.03
             3   1886  11,316  $4149.20   0.03
             4   1653  13,224  $4297.80   0.03
             8   1304  20,864  $5476.80   0.03
            16   1130  36,160  $8362.00   0.03

      assumed: both arms try the same tasks; true differences vary over tasks by 0.33, rollouts of a task by 0.4 (Miller 2024, with the t distribution)
      assumed: a rollout costs the same in both arms; costs are of both arms together
      "
    `)
    expect(firstLine(await power(['--budget', '500', ...varying]))).toMatchInlineSnapshot(
      `"For $500.00, 227 tasks × 3 rollouts in each arm find the most: a difference of 0.0873 or more with 80% power."`,
    )
    expect(firstLine(await power(['--effect', '3pts', '--budget', '500', ...varying]))).toContain('more than $500')
    expect(firstLine(await power(['--effect', '3pts', '--rollouts', '8', ...varying]))).not.toContain('cheapest')
  })

  it('accepts the option names of Metta’s pipeline', async () => {
    const line = ['--power.target_effect_size', '0.5', '--power.target_power', '0.9', '--power.sample_sizes', '[5,40]']
    const { n, curve } = JSON.parse(await power([...line, '--json']))
    expect(n).toBe(46)
    expect(curve.map((row: { n: number }) => row.n)).toEqual([5, 40])
  })
})

describe('from a pilot', () => {
  const files = () => folderWith({ 'pilot.csv': pilotTable() })

  it('plans with the spread of its pairs, and shows its uncertainty', async () => {
    const cwd = files()
    const line = [...pilot, '--pair-by', 'task', '--metric', 'score', '--effect', '0.02', '--trials', '200']
    const text = await power(line, cwd)
    expect(firstLine(text)).toMatch(
      /^\d+ pairs find a difference of 0\.02 with 8\d.* a pilot of 12 leaves \d+ to \d+ possible\.$/,
    )
    expect(await power(line, cwd)).toBe(text)
  })

  it('computes what the pilot could have detected', async () => {
    const text = await power([...pilot, '--pair-by', 'task', '--metric', 'score', '--trials', '200'], files())
    expect(firstLine(text)).toMatch(/^12 pairs find a difference of 0\.\d+ or more with 80% power/)
    expect(text).not.toContain('finds with 80%')
    expect(text).toContain('note: power for fewer than 12 pairs is optimistic')
  })

  it('estimates the spread between and within tasks from rollouts', async () => {
    const costs = ['--task-cost', '1', '--rollout-cost', '0.1', '--effect', '0.05']
    const line = [...pilot, '--pair-by', 'task,rollout', '--metric', 'score', ...costs, '--json']
    const { plan, plans, question } = JSON.parse(await power(line, files()))
    expect(question).toBe('plan')
    expect(plan.rollouts).toBeGreaterThan(1)
    expect(Math.min(...plans.map((one: { cost_usd: number }) => one.cost_usd))).toBe(plan.cost_usd)
  })

  it('has everything in JSON', async () => {
    const line = [...pilot, '--pair-by', 'none', '--metric', 'solved', '--effect', '10pts', '--json']
    const answer = JSON.parse(await power(line, files()))
    expect(Object.keys(answer).toSorted()).toMatchInlineSnapshot(`
      [
        "alpha",
        "assumptions",
        "curve",
        "data",
        "design",
        "effect",
        "half_width",
        "is_standardised",
        "kind",
        "metric",
        "n",
        "notes",
        "pilot",
        "plan",
        "plans",
        "power",
        "provenance",
        "question",
        "range",
        "reason",
        "sentence",
        "side",
        "target_power",
        "units",
        "warnings",
      ]
    `)
    expect(answer).toMatchObject({
      kind: 'power',
      question: 'runs',
      data: 'proportions',
      metric: 'solved',
      pilot: { control: 'raw', candidate: 'hybrid', n: { control: 48, candidate: 48 }, paired_by: null },
    })
  })

  it('draws the curve', async () => {
    const cwd = folderWith()
    await power(['--effect', '0.5', '--output', 'curve.svg'], cwd)
    const svg = readFileSync(join(cwd, 'curve.svg'), 'utf8')
    expect(svg).toMatch(/^<svg/)
    expect(svg).toContain('N = 35')
  })
})

describe('refuses invalid options', () => {
  it.each([
    [[]],
    [['--effect', '0']],
    [['--effect', 'large']],
    [['--power', '1', '--effect', '0.5']],
    [['--runs', '1']],
    [['--half-width', '0.1', '--effect', '0.5']],
    [['--effect', '0.5', '--side', 'less']],
    [['--base-rate', '0.95', '--effect', '0.1']],
    [['--discordant', '0.1', '--effect', '0.2']],
    [['--discordant', '0.1', '--sd', '1', '--effect', '0.2']],
    [['--ratio', '2', '--effect', '0.5']],
    [['--sizes', '1,5', '--effect', '0.5']],
    [['--rollouts', '4', '--effect', '0.5']],
    [['--task-sd', '0.3', '--effect', '0.5']],
    [['--task-sd', '0.3', '--rollout-sd', '0.1', '--effect', '0.5']],
    [['--effect', '0.5', '--output', 'curve.pdf']],
    [[...pilot, '--metric', 'score', '--sd', '1', '--effect', '0.5']],
    [[...pilot, '--pair-by', 'task', '--metric', 'scor', '--effect', '0.5']],
    [['missing.csv', '--effect', '0.5']],
  ])('%j', async args => {
    expect(await refused(args)).toMatchSnapshot()
  })
})
