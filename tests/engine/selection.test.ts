import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { needs } from '../support/needs.ts'
import { expectAddsUp } from '../support/summary.ts'

const definition = `
name: e
target: { kind: command, command: ["true"] }
factors: { x: [1, 2, 3, 4] }
seeds: 1..5
`

function experiment() {
  const cwd = folderWith({ 'experiment.yaml': definition })
  const names = (dir: string) =>
    journalRows<{ name: string }>(join(cwd, 'results', dir), `SELECT name FROM runs WHERE state = 'finished'`)
      .map(run => run.name)
      .sort()
  return { cwd, names, run: (...args: string[]) => assay(['run', '--json', ...args], { cwd }) }
}

describe('a part of the plan', () => {
  it('--first runs that many; the rest follow without it', async () => {
    const e = experiment()
    const first = await e.run('--first', '3')
    expect(first.status).toBe(0)
    expect(summaryOf(first)).toMatchObject({ planned: 3, completed: 3, pending: 0 })
    expectAddsUp(summaryOf(first))
    expect(summaryOf(await e.run())).toMatchObject({ planned: 20, completed: 20, reused: 3, attempts: 20 })
  })

  it('--shard i/n: shards are a partition of the runs', async () => {
    const parts: string[][] = []
    for (const shard of ['1/3', '2/3', '3/3']) {
      const e = experiment()
      expect((await e.run('--shard', shard)).status).toBe(0)
      parts.push(e.names('e'))
    }
    const whole = experiment()
    await whole.run()
    expect(parts.flat().sort()).toEqual(whole.names('e'))
    for (const part of parts) expect(part.length).toBeGreaterThan(0)
  })

  it('--filter selects runs, and several must all be true', async () => {
    const e = experiment()
    expect(summaryOf(await e.run('--filter', 'x=2'))).toMatchObject({ planned: 5, completed: 5 })
    const both = await e.run('--filter', 'x > 1', '--filter', 'seed in [1, 2]')
    expect(summaryOf(both)).toMatchObject({ planned: 6, completed: 6, reused: 2 })
    expect(e.names('e')).toHaveLength(9)
  })
})

describe('earlier results', () => {
  it('--again starts a dated series, and a plain run continues the newest', async () => {
    const e = experiment()
    await e.run()
    const today = () => new Date().toISOString().slice(0, 10)
    const day = today()
    expect(summaryOf(await e.run('--again'))).toMatchObject({ completed: 20, reused: 0, attempts: 20 })
    expect(summaryOf(await e.run('--again', '--first', '2'))).toMatchObject({ completed: 2, reused: 0 })
    needs(today() === day, 'midnight came in between')
    expect(readdirSync(join(e.cwd, 'results')).sort()).toEqual(['e', `e@${day}`, `e@${day}.2`])
    const plain = await e.run()
    expect(summaryOf(plain)).toMatchObject({ completed: 20, reused: 2, dir: join(e.cwd, 'results', `e@${day}.2`) })
  })

  it('--fresh runs everything again and keeps every attempt', async () => {
    const e = experiment()
    await e.run('--first', '3')
    const fresh = await e.run('--first', '3', '--fresh')
    expect(fresh.status).toBe(0)
    expect(summaryOf(fresh)).toMatchObject({ planned: 3, completed: 3, reused: 0, attempts: 6 })
    const [name = ''] = e.names('e')
    expect(readdirSync(join(e.cwd, 'results/e/runs', name, 'attempts'))).toEqual(['1'])
  })

  it('--rerun runs one again, by name or prefix', async () => {
    const e = experiment()
    await e.run('--first', '3')
    const [name = ''] = e.names('e')
    expect(summaryOf(await e.run('--first', '3', '--rerun', name.slice(0, -6)))).toMatchObject({
      attempts: 4,
      reused: 2,
    })
    const unknown = await assay(['run', '--first', '3', '--rerun', 'nobody'], e)
    expect(unknown.status).toBe(2)
    expect(unknown.stderr).toContain('there is no run "nobody" in this experiment')
  })
})
