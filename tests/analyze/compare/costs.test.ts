import { describe, expect, it } from 'vitest'
import { readingOf } from '../../../src/analyze/reading.ts'
import { ask } from '../ask.ts'
import { aRun, evidenceWith } from '../evidence.ts'

/** Both arms make the same call for $1 in each task; the first one pays for it. `b` makes another one for 10 cents. */
function sharedCalls(tasks: number) {
  const runs = Array.from({ length: tasks }, (_, task) => {
    const isFirst = task % 3 > 0
    const [ours, theirs] = [1 + task / 100, 1.1 + task / 99]
    return [
      { arm: 'a', price_usd: ours, paid: isFirst ? ours : 0 },
      { arm: 'b', price_usd: theirs, paid: isFirst ? theirs - ours : theirs },
    ].map(({ arm, price_usd, paid }) =>
      aRun({
        name: `${arm}-${task}`,
        params: { arm },
        block: { task },
        metrics: { score: 1, cost_usd: paid, price_usd },
        cost_usd: paid,
      }),
    )
  }).flat()
  return evidenceWith(runs, { blocks: ['task'] })
}

describe('the cost of a variant', () => {
  it.each([12, 120])('is its list price, whichever arm paid for a shared answer (%i tasks)', tasks => {
    const evidence = sharedCalls(tasks)
    const found = ask(evidence, { reading: readingOf(evidence, { metric: 'cost_usd' }) })
    expect(found).toMatchObject({ metric: 'cost_usd', verdict: 'worse', goal: 'minimize' })
    expect(found.estimate).toBeGreaterThan(0.1)
    expect(found.warnings.join('\n')).toContain(`${tasks} of ${2 * tasks} runs paid another amount`)
  })

  it('can be the paid cost on request', () => {
    const evidence = sharedCalls(12)
    const found = ask(evidence, { reading: readingOf(evidence, { metric: 'paid_usd' }) })
    expect(found.estimate).toBeLessThan(0)
    expect(found.warnings.join('\n')).not.toContain('list price')
  })

  it('is the column of that name in a table, whatever other columns there are', () => {
    const { runs, ...rest } = sharedCalls(12)
    const evidence = { ...rest, runs: runs.map(run => ({ ...run, cost_usd: null })) }
    const found = ask(evidence, { reading: readingOf(evidence, { metric: 'cost_usd' }) })
    expect(found.estimate).toBeLessThan(0)
  })
})
