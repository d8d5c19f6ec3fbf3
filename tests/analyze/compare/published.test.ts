import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { armsFor } from '../../../src/analyze/arms.ts'
import type { Comparison } from '../../../src/analyze/compare/compare.ts'
import { readingOf } from '../../../src/analyze/reading.ts'
import type { Evidence } from '../../../src/define/observation.ts'
import { filterEvidence } from '../../../src/plan/select/filter-evidence.ts'
import { evidenceOfTable } from '../../../src/record/evidence/from-table.ts'
import { parseCsv } from '../../../src/util/csv.ts'
import { ask } from '../ask.ts'

/**
 * The intervals of "The Complexity Trap" (JetBrains Research), published beside the runs they were made from. They lie beside
 * this repository, not in it; where they are missing, fixture.test.ts puts the same code to a small table.
 */
const folder = fileURLToPath(new URL('../../../../shared/data/complexity-trap/', import.meta.url))
const isThere = existsSync(folder)
const published = describe.skipIf(!isThere)
const title = (text: string) => (isThere ? text : `${text} (skipped: ${folder} is not there)`)

type Row = Readonly<Record<string, string>>
const rowsOf = (file: string): readonly Row[] => {
  if (!isThere) return []
  const [head = [], ...rows] = parseCsv(readFileSync(`${folder}${file}`, 'utf8'))
  return rows.map(row => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])))
}

const columns = { group: ['experiment'], pairBy: ['instance_id'], run: null, step: null }
const all = isThere ? evidenceOfTable(`${folder}experiment_instance_costs_sweagent.csv`, columns) : null

// The cost of an instance is the agent's plus the summaries'.
const cost = 'cost + summary_cost'
type Metric = 'outcome' | typeof cost

/** The method that was published: percentile bootstrap of 10,000 with NumPy's generator; missing instances count as 0. */
function asPublished(metric: Metric, control: string, candidate: string, evidence = all): Comparison {
  const key = [metric, control, candidate, evidence?.runs.length].join(' ')
  const found =
    known.get(key) ??
    compared(metric, control, candidate, evidence, {
      method: 'percentile',
      missing: 'zero',
      drawing: { seed: metric === 'outcome' ? 0 : 1, resamples: 10_000, rng: 'numpy' },
    })
  known.set(key, found)
  return found
}

const known = new Map<string, Comparison>()

function compared(
  metric: string,
  control: string,
  candidate: string,
  evidence: Evidence | null,
  question: Parameters<typeof ask>[1],
): Comparison {
  if (evidence === null) throw new Error('the data is not there')
  return ask(evidence, {
    ...armsFor(evidence, { control: { experiment: control }, candidates: [{ experiment: candidate }] }),
    reading: readingOf(evidence, { metric, goal: metric === cost ? 'minimize' : 'maximize' }),
    ...question,
  })
}

const near = (value: number | null | undefined, wanted: string | undefined, within: number) =>
  expect(Math.abs((value ?? Number.NaN) - Number(wanted))).toBeLessThanOrEqual(within)

const pairs = rowsOf('paired_ci_diffs_vs_raw.csv').map(row => [`${row.group}: ${row.strategy}`, row] as const)

published(title('published paired differences come out again'), () => {
  it.each(pairs)('%s: the solve rate to the last digit, p included', (_, row) => {
    const found = asPublished('outcome', row.experiment_raw ?? '', row.experiment_other ?? '')
    expect(found.n.pairs).toBe(Number(row.n_common))
    near(found.estimate, row.solve_rate_diff, 1e-15)
    near(found.ci?.low, row.solve_rate_lo, 1e-15)
    near(found.ci?.high, row.solve_rate_hi, 1e-15)
    expect(found.p).toBe(Number(row.solve_rate_p))
  })

  // The table has costs with four decimals, and lacks some instances.
  const within = (row: Row) => (/\(d\)|\(e\)/.test(row.group ?? '') ? 4.2e-6 : 1.41e-2)
  it.each(pairs)('%s: the cost as closely as four decimals allow', (_, row) => {
    const found = asPublished(cost, row.experiment_raw ?? '', row.experiment_other ?? '')
    near(found.estimate, row.mean_cost_diff, within(row))
    near(found.ci?.low, row.mean_cost_lo, within(row))
    near(found.ci?.high, row.mean_cost_hi, within(row))
    near(found.p, row.mean_cost_p, 0.002)
  })
})

const arms = rowsOf('bootstrapped_cis.csv').map(row => [row.experiment ?? '', row] as const)

/** An arm's own interval is the same in any comparison. */
function armAsPublished(metric: Metric, row: Row) {
  const name = row.experiment ?? ''
  const pair = pairs.map(([, one]) => one).find(one => one.experiment_raw === name || one.experiment_other === name)
  // The published numbers of this arm lack one run without turns and cost, although those of its pairs include it.
  const evidence =
    Number(row.n_instances) === 499 && all !== null
      ? filterEvidence(all, ["instance_id != 'django__django-11066'"])
      : all
  const found = asPublished(metric, pair?.experiment_raw ?? '', pair?.experiment_other ?? '', evidence)
  return pair?.experiment_raw === name ? found.arms.control : found.arms.candidate
}

published(title('published intervals of single arms come out again'), () => {
  it.each(arms)('%s: the solve rate to the last digit', (_, row) => {
    const arm = armAsPublished('outcome', row)
    expect(arm.n).toBe(Number(row.n_instances))
    near(arm.mean, row.solve_rate, 1e-15)
    near(arm.ci?.low, row.solve_rate_lo, 1e-15)
    near(arm.ci?.high, row.solve_rate_hi, 1e-15)
  })

  it.each(arms)('%s: the cost as closely as the table allows', (name, row) => {
    const arm = armAsPublished(cost, row)
    const isComplete = all?.runs.filter(run => run.params.experiment === name).length === 500
    const within = isComplete ? 3.3e-6 : 1.7e-2
    near(arm.mean, row.mean_cost, within)
    near(arm.ci?.low, row.mean_cost_lo, within)
    near(arm.ci?.high, row.mean_cost_hi, within)
  })
})

published(title('by default the same is said as was published'), () => {
  const verdictOf = (difference: string | undefined, p: string | undefined, isMore: boolean) =>
    Number(p) > 0.05 ? 'inconclusive' : Number(difference) > 0 === isMore ? 'better' : 'worse'

  it.each(pairs)('%s', (_, row) => {
    const [control, candidate] = [row.experiment_raw ?? '', row.experiment_other ?? '']
    const solved = compared('outcome', control, candidate, all, {})
    expect(solved.ci?.method).toBe('score')
    expect(solved.verdict).toBe(verdictOf(row.solve_rate_diff, row.solve_rate_p, true))
    const spent = compared(cost, control, candidate, all, {})
    expect(spent.verdict).toBe(verdictOf(row.mean_cost_diff, row.mean_cost_p, false))
  })
})
