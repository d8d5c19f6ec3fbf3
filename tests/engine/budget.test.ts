import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, eventsOf, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { appeared } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { processesOf } from '../support/processes.ts'
import { expectAddsUp } from '../support/summary.ts'

/** Reports the parameter's value, then waits for the file of that name if told to. */
const program = `#!/bin/sh
[ "$1" = silent ] || echo "{\\"cost_usd\\": $1}" >> "$ASSAY_METRICS_FILE"
touch started
[ -z "$WAIT_FOR" ] || while [ ! -e "$WAIT_FOR" ]; do sleep 0.1; done
`

function experiment(costs: string, limits: string) {
  const cwd = folderWith({
    'spends.sh': program,
    'experiment.yaml': `
name: e
target: { kind: command, command: [./spends.sh, '{cost}'] }
factors: { cost: ${costs} }
seeds: [1, 2, 3, 4]
order: listed
limits: ${limits}
`,
  })
  const dir = join(cwd, 'results/e')
  return {
    cwd,
    dir,
    run: (...args: string[]) => assay(['run', '--json', ...args], { cwd }),
    attempts: () => journalRows(dir, 'SELECT outcome, cost_usd, cost_assumed FROM attempts ORDER BY id'),
    ledger: () => journalRows(dir, 'SELECT kind, usd FROM ledger ORDER BY id'),
  }
}

describe('a budget', () => {
  it('ends the experiment with exit 3; the same command continues once it is raised', async () => {
    const e = experiment('[0.5]', '{ jobs: 2, budget_usd: 1.2, run_budget_usd: 0.6 }')
    const ended = await e.run()
    expect(ended.status).toBe(3)
    expect(summaryOf(ended)).toMatchObject({ completed: 2, pending: 2, cost_usd: 1, overrun_usd: 0 })
    expect(summaryOf(ended).stopped_by).toMatchInlineSnapshot(
      `"the budget of $1.20 has no room for another run: $1.00 is spent and a run may cost $0.60"`,
    )
    expectAddsUp(summaryOf(ended))

    expect((await e.run()).status).toBe(3)
    const raised = await e.run('--budget', '10')
    expect(raised.status).toBe(0)
    expect(summaryOf(raised)).toMatchObject({ completed: 4, attempts: 4, cost_usd: 2 })
  })

  it('is also reported in plain text', async () => {
    const e = experiment('[0.5]', '{ jobs: 1, budget_usd: 0.6, run_budget_usd: 0.5 }')
    const ended = await assay(['run'], e)
    expect(ended.status).toBe(3)
    expect(ended.stdout).toContain(
      'stopped: the budget of $0.60 has no room for another run: $0.50 is spent and a run may cost $0.50. To continue, run the same command with a higher --budget.',
    )
  })

  it('of 0 declares that runs are free, and lets free runs go on', async () => {
    const e = experiment('[0]', '{ jobs: 2, budget_usd: 0, run_budget_usd: 0 }')
    expect(summaryOf(await e.run())).toMatchObject({ completed: 4, cost_usd: 0 })
  })

  it('charges a run without a report its maximum cost, marked as assumed', async () => {
    const e = experiment('[silent]', '{ jobs: 1, budget_usd: 1, run_budget_usd: 0.5 }')
    const ended = await e.run()
    expect(ended.status).toBe(3)
    expect(summaryOf(ended)).toMatchObject({ completed: 2, cost_usd: 1 })
    expect(e.attempts()).toEqual(Array(2).fill({ outcome: 'completed', cost_usd: 0.5, cost_assumed: 1 }))
  })
})

it('a command above its cap is ended; the overrun is booked, shown, and counts', async () => {
  const e = experiment('[0.7]', '{ jobs: 1, grace: 100ms, budget_usd: 1, run_budget_usd: 0.4 }')
  const ended = await assay(['run', '--json'], { cwd: e.cwd, env: { WAIT_FOR: 'nothing' } })
  expect(ended.status).toBe(3)
  expect(summaryOf(ended)).toMatchObject({ cost_limited: 1, pending: 3, cost_usd: 0.7 })
  expect(summaryOf(ended).overrun_usd).toBeCloseTo(0.3)
  expectAddsUp(summaryOf(ended))
  expect(processesOf(e.dir)).toEqual([])
  const [end] = eventsOf(ended).filter(event => event.kind === 'attempt_ended')
  expect(end).toMatchObject({ outcome: { message: 'ended after spending $0.70, above its budget of $0.40' } })
  expect(e.ledger()).toEqual([
    { kind: 'reserve', usd: 0.4 },
    { kind: 'release', usd: 0.4 },
    { kind: 'charge', usd: 0.7 },
  ])
  const told = await assay(['run'], e)
  expect(told.stdout).toContain('$0.70 ($0.30 above its caps)')

  const raised = await e.run('--budget', '20', '--run-budget', '2')
  expect(raised.status).toBe(0)
  expect(summaryOf(raised)).toMatchObject({ completed: 4, cost_limited: 0, attempts: 5 })
})

describe('an impossible cost is unknown', () => {
  it('a negative cost in a declared file: charged as if not reported', async () => {
    const cwd = folderWith({
      'e.yaml': `
name: e
target: { kind: command, command: [sh, -c, 'echo "{{\\"usd\\": -5}}" > $ASSAY_OUT_DIR/cost.json'] }
metrics: { cost_usd: { json: out/cost.json, path: usd } }
limits: { budget_usd: 2, run_budget_usd: 0.5 }
`,
    })
    const ended = await assay(['run', 'e.yaml', '--json'], { cwd })
    expect(summaryOf(ended)).toMatchObject({ completed: 1, cost_usd: 0.5 })
    const attempts = journalRows(join(cwd, 'results/e'), 'SELECT cost_usd, cost_assumed FROM attempts')
    expect(attempts).toEqual([{ cost_usd: 0.5, cost_assumed: 1 }])
  })

  it.each([
    ['with a budget', '{ jobs: 1, budget_usd: 10, run_budget_usd: 0.5 }', 0.5],
    ['without one', '{ jobs: 1 }', 0.1],
  ])('partly unreadable, %s: charged at least the readable part', async (_, limits, cost_usd) => {
    const e = experiment('["0.1}\\n{\\"cost_usd\\": NaN"]', limits)
    expect(summaryOf(await e.run('--first', '1'))).toMatchObject({ completed: 1, cost_usd })
    expect(e.attempts()).toEqual([{ outcome: 'completed', cost_usd, cost_assumed: 1 }])
  })
})

it.each([
  ['without a budget that is what is booked', '{ jobs: 1 }', 0.5],
  ['with one, its whole reservation', '{ jobs: 1, budget_usd: 10, run_budget_usd: 2 }', 2],
])('an attempt lost by kill -9 after reporting $0.50: %s', async (_, limits, assumed) => {
  const e = experiment('[0.5]', limits)
  const lost = startAssay(['run', '-q'], { cwd: e.cwd, env: { WAIT_FOR: 'go' } })
  await appeared(join(e.cwd, 'started'))
  lost.child.kill('SIGKILL')
  await lost.ended
  const again = await e.run('--first', '1')
  expect(e.attempts()).toEqual([
    { outcome: 'cancelled', cost_usd: assumed, cost_assumed: 1 },
    { outcome: 'completed', cost_usd: 0.5, cost_assumed: 0 },
  ])
  expect(summaryOf(again)).toMatchObject({ completed: 1, cost_usd: assumed + 0.5 })
})

it('an attempt lost by kill -9 is charged its whole reservation, marked as assumed', async () => {
  const e = experiment('[silent]', '{ jobs: 1, budget_usd: 10, run_budget_usd: 2 }')
  const lost = startAssay(['run', '-q'], { cwd: e.cwd, env: { WAIT_FOR: 'go' } })
  await appeared(join(e.cwd, 'started'))
  lost.child.kill('SIGKILL')
  await lost.ended
  writeFileSync(join(e.cwd, 'go'), '')
  const again = await e.run('--first', '1')
  expect(again.status).toBe(0)
  expect(e.attempts()).toEqual([
    { outcome: 'cancelled', cost_usd: 2, cost_assumed: 1 },
    { outcome: 'completed', cost_usd: 2, cost_assumed: 1 },
  ])
  expect(summaryOf(again)).toMatchObject({ completed: 1, cost_usd: 4 })
  const [run] = journalRows<{ name: string }>(e.dir, 'SELECT name FROM runs ORDER BY id')
  expect((await assay(['why', e.dir, run?.name ?? ''], e)).stdout).toContain(
    '$2.00 (assumed): cancelled: the process that ran it ended first',
  )
})
