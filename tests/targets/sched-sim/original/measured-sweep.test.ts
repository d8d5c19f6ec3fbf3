import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { summaryOf } from '../../../../src/targets/sched-sim/output/summary.ts'
import { simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'
import { parseCsv } from '../../../../src/util/csv.ts'
import { settingsWith } from '../support/settings.ts'

const file = join(import.meta.dirname, '../../../../../shared/data/cascade/default-sweep-runs.csv')
const isMissing = !existsSync(file)

test.skipIf(isMissing)(
  `the 96 runs of the original's default sweep cost what they cost there${isMissing ? ` (skipped: there is no ${file})` : ''}`,
  () => {
    const [header = [], ...rows] = parseCsv(readFileSync(file, 'utf8'))
    const runs = rows.map(row => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
    const costs = runs.map(run =>
      simulate(
        settingsWith({
          policy: run.policy ?? '',
          workflows: Number(run.workflows),
          seed: Number(run.seed),
          disable_hedging: run.disable_hedging === 'True',
          disable_escalation: run.disable_escalation === 'True',
          disable_dag_priority: run.disable_dag_priority === 'True',
          original_rules: true,
        }),
      ),
    )
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const ours = mean(costs.map(result => summaryOf(result).cost_mean ?? Number.NaN))
    const theirs = mean(runs.map(run => Number(run.cost_mean)))
    expect(runs).toHaveLength(96)
    expect(theirs).toBeCloseTo(1.528, 3)
    expect(Math.abs(ours / theirs - 1)).toBeLessThan(0.05)
  },
)
