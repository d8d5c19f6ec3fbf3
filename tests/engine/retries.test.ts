import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, type Ended, eventsOf, folderWith, summaryOf } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { expectAddsUp } from '../support/summary.ts'

/** Ends with the exit code of its n-th attempt, as the parameter lists them; with 0 when the list is over. */
const program = `#!/bin/sh
echo "$ASSAY_RUN_ID" >> "started"
n=$(grep -c "^$ASSAY_RUN_ID$" started)
exit "$(echo "$1 0 0 0 0 0 0 0 0 0" | cut -d' ' -f"$n")"
`

function experiment(codes: string, limits: string, more = '') {
  const cwd = folderWith({
    'program.sh': program,
    'experiment.yaml': `
name: e
target: { kind: command, command: [./program.sh, '{codes}']${more} }
factors: { codes: ["${codes}"] }
limits: ${limits}
`,
  })
  const dir = join(cwd, 'results/e')
  return {
    dir,
    name: () => readdirSync(join(dir, 'runs'))[0] ?? '',
    run: (...args: string[]) => assay(['run', '--json', ...args], { cwd }),
    attempts: () => linesOf(join(cwd, 'started')).length,
    outcomes: () =>
      journalRows<{ outcome: string }>(dir, 'SELECT outcome FROM attempts ORDER BY id').map(a => a.outcome),
  }
}

const retriesIn = (ended: Ended) =>
  eventsOf(ended)
    .filter(event => event.kind === 'attempt_ended')
    .map(event => event.retry_in_ms)

describe('retries', () => {
  it('retries an infrastructure error (exit 75) with doubling waits until the run completes', async () => {
    const e = experiment('75 75', '{ retries: { backoff: 20ms } }')
    const ended = await e.run()
    expect(ended.status).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ planned: 1, completed: 1, infra_error: 0, attempts: 3 })
    expectAddsUp(summaryOf(ended))
    expect(e.outcomes()).toEqual(['infra_error', 'infra_error', 'completed'])
    const [first, second, last] = retriesIn(ended)
    expect(first).toSatisfy((ms: number) => ms >= 10 && ms <= 30)
    expect(second).toSatisfy((ms: number) => ms >= 20 && ms <= 60)
    expect(last).toBeNull()
    expect(readdirSync(join(e.dir, 'runs', e.name(), 'attempts'))).toEqual(['1', '2'])
  })

  it('keeps no score for a lasting infrastructure error: exit 1, and the same command retries', async () => {
    const e = experiment('75 75 75', '{ retries: { infra_error: 1, backoff: 1ms } }')
    const ended = await e.run()
    expect(ended.status).toBe(1)
    expect(summaryOf(ended)).toMatchObject({ infra_error: 1, attempts: 2 })
    const again = await e.run()
    expect(again.status).toBe(0)
    expect(e.outcomes()).toEqual(['infra_error', 'infra_error', 'infra_error', 'completed'])
  })

  it('retries a failure only on request', async () => {
    const e = experiment('7', '{ jobs: 1 }')
    expect((await e.run()).status).toBe(1)
    expect(e.attempts()).toBe(1)

    const asked = experiment('7 7', '{ retries: { failed: 2, backoff: 1ms } }')
    expect(summaryOf(await asked.run())).toMatchObject({ completed: 1, attempts: 3 })
    const option = experiment('7', '{ retries: { backoff: 1ms, rate_limited: 9 } }')
    const ended = await option.run('--retries', '1')
    expect(summaryOf(ended)).toMatchObject({ completed: 1, attempts: 2 })
    expect(retriesIn(ended)[0]).toBeLessThan(10)
    const [row] = journalRows<{ retries: string }>(
      option.dir,
      "SELECT text -> 'limits' -> 'retries' AS retries FROM definitions",
    )
    const retries = { failed: 1, timed_out: 1, infra_error: 1, rate_limited: 9, backoff_ms: 1 }
    expect(JSON.parse(row?.retries ?? '')).toEqual(retries)
    const tooFew = experiment('7 7 7 7', '{ retries: { failed: 2, backoff: 1ms } }')
    expect(summaryOf(await tooFew.run())).toMatchObject({ failed: 1, attempts: 3 })
  })
})

describe('a run that repeatedly fails in the same way', () => {
  const quarantined = () => experiment('7 7 7', '{ quarantine_after: 2, retries: { failed: 9, backoff: 1ms } }')

  it('is quarantined, and skipped by the same command and by --retry-failed', async () => {
    const e = quarantined()
    const ended = await e.run()
    expect(ended.status).toBe(1)
    expect(summaryOf(ended)).toMatchObject({ quarantined: 1, failed: 0, attempts: 2 })
    expectAddsUp(summaryOf(ended))
    for (const line of [[], ['--retry-failed']]) {
      const again = await e.run(...line)
      expect(again.status).toBe(1)
      expect(summaryOf(again)).toMatchObject({ quarantined: 1, attempts: 2 })
    }
  })

  it('is not quarantined for rate limits: the same command retries it', async () => {
    const limits = '{ quarantine_after: 5, retries: { rate_limited: 5, backoff: 1ms } }'
    const e = experiment('9 9 9 9 9 9 9', limits, ", exit_codes: { '9': rate_limited }")
    const ended = await e.run()
    expect(ended.status).toBe(3)
    expect(summaryOf(ended)).toMatchObject({ rate_limited: 1, quarantined: 0, attempts: 6 })
    expectAddsUp(summaryOf(ended))
    const again = await e.run()
    expect(again.status).toBe(0)
    expect(summaryOf(again)).toMatchObject({ completed: 1, attempts: 8 })
  })

  it('is also quarantined if each call has the same infrastructure error once', async () => {
    const e = experiment('75 75 75', '{ quarantine_after: 3, retries: { infra_error: 0 } }')
    for (const states of [{ infra_error: 1 }, { infra_error: 1 }, { quarantined: 1, infra_error: 0 }]) {
      const ended = await e.run()
      expect(ended.status).toBe(1)
      expect(summaryOf(ended)).toMatchObject(states)
    }
    expect(summaryOf(await e.run())).toMatchObject({ quarantined: 1, attempts: 3 })
  })

  it('runs again with --rerun quarantined', async () => {
    const e = quarantined()
    await e.run()
    const again = await e.run('--rerun', 'quarantined')
    expect(again.status).toBe(0)
    expect(summaryOf(again)).toMatchObject({ completed: 1, quarantined: 0, attempts: 4 })
  })

  it('runs again if named', async () => {
    const e = quarantined()
    await e.run()
    expect(summaryOf(await e.run('--rerun', e.name()))).toMatchObject({ completed: 1, attempts: 4 })
  })

  it('gets the right option suggested for other words of --rerun', async () => {
    const e = experiment('7', '{ jobs: 1 }')
    await e.run()
    for (const command of ['run', 'plan']) {
      const refused = await assay([command, '--rerun', 'failed'], { cwd: join(e.dir, '../..') })
      expect(refused.status).toBe(2)
      expect(refused.stderr).toMatchInlineSnapshot(`
        "error: --rerun failed: there is no run "failed" in this experiment
        What failed or timed out is run again with --retry-failed; all that is quarantined with --rerun quarantined.
        "
      `)
    }
  })

  it('is not quarantined if it fails in different ways', async () => {
    const e = experiment('7 8 7 8', '{ quarantine_after: 2, retries: { failed: 9, backoff: 1ms } }')
    expect(summaryOf(await e.run())).toMatchObject({ completed: 1, attempts: 5 })
  })

  it('ends with the command that runs it again', async () => {
    const cwd = folderWith({
      'e.yaml': 'name: e\ntarget: { kind: command, command: ["false"] }\nlimits: { quarantine_after: 1 }\n',
    })
    const ended = await assay(['run', 'e.yaml', '-q'], { cwd })
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(
      'assay run e.yaml --quiet --retry-failed --rerun quarantined',
    )
  })
})
