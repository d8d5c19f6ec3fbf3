import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/util/random.ts'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

/** Scores as the variant says, and writes down which runs were made, in which order. */
const program = `
import { appendFileSync } from 'node:fs'
export default async ({ quality }, { block }) => {
  appendFileSync('made.txt', quality + ' ' + block.task + '\\n')
  if (process.env.SLOW === '1') await new Promise(resolve => setTimeout(resolve, 40))
  return { solved: quality }
}`

const experiment = (more: string, levels = '[0.9, 0.1, 0.8, 0.2]') => `
name: trials
target: { kind: function, module: score.mjs }
factors: { quality: ${levels} }
blocks: { task: [a, b, c, d, e, f] }
metrics: { solved: { goal: maximize } }
${more}
order: listed
limits: { jobs: 1 }
`

const folder = (more: string, levels?: string) => {
  const cwd = folderWith({ 'score.mjs': program, 'experiment.yaml': experiment(more, levels), 'made.txt': '' })
  return {
    cwd,
    dir: join(cwd, 'results/trials'),
    made: () => readFileSync(join(cwd, 'made.txt'), 'utf8').trim().split('\n'),
  }
}

const outcomes = (dir: string) =>
  journalRows<{ quality: number; outcome: string | null; n: number; attempts: number }>(
    dir,
    `SELECT spec ->> '$.params.quality' AS quality, outcome, count(*) AS n, sum(attempts) AS attempts FROM runs GROUP BY 1, 2 ORDER BY min(id)`,
  )

/** How many instances each variant gets, one variant after the other. */
function hyperbandLengths(scores: readonly (readonly number[])[], bands: readonly number[], eta: number): number[] {
  const meanOf = (own: readonly number[], to: number) => own.slice(0, to).reduce((sum, one) => sum + one, 0) / to
  const lengths: number[] = []
  for (const own of scores) {
    let length = 0
    for (; length < own.length; ) {
      length++
      const band = bands.findLast(one => one <= length)
      if (band === undefined || length === own.length) continue
      const there = [...scores.slice(0, lengths.length).filter((_, at) => (lengths[at] ?? 0) >= band), own]
      const ranked = there.map(one => meanOf(one, band)).sort((one, other) => other - one)
      if (meanOf(own, band) < (ranked[Math.floor(ranked.length / eta)] ?? 0)) break
    }
    lengths.push(length)
  }
  return lengths
}

describe('a search that counts variants', () => {
  it('runs one variant after the other, each in all its blocks, and no more variants than it may', async () => {
    const { cwd, made } = folder('search: { method: grid, counts: variants, max_runs: 2 }')
    const ended = await assay(['run', '--json'], { cwd })
    expect(summaryOf(ended), ended.stderr).toMatchObject({ planned: 12, completed: 12 })
    expect(made()).toEqual([...'abcdef'].map(task => `0.9 ${task}`).concat([...'abcdef'].map(task => `0.1 ${task}`)))
  })

  it.each(['random', 'sobol', 'tpe', 'bayes'])('%s: max_runs and --first are numbers of variants', async method => {
    const { cwd } = folder(`search: { method: ${method}, counts: variants, max_runs: 3 }`)
    const some = await assay(['run', '--json', '--first', '2'], { cwd })
    expect(summaryOf(some), some.stderr).toMatchObject({ planned: 12, completed: 12 })
    const all = await assay(['run', '--json'], { cwd })
    expect(summaryOf(all), all.stderr).toMatchObject({ planned: 18, completed: 18, reused: 12, attempts: 18 })
  })

  it('drops the remaining runs of a stopped variant, and gives the reason everywhere', async () => {
    const { cwd, dir, made } = folder(
      'search: { method: grid, counts: variants, early_stop: { type: hyperband, min_iter: 2 } }',
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(ended.status, ended.stderr).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ planned: 24, completed: 16, stopped_early: 8, attempts: 16, pending: 0 })
    expect(outcomes(dir)).toEqual([
      { quality: 0.9, outcome: 'completed', n: 6, attempts: 6 },
      { quality: 0.1, outcome: 'completed', n: 2, attempts: 2 },
      { quality: 0.1, outcome: 'stopped_early', n: 4, attempts: 0 },
      { quality: 0.8, outcome: 'completed', n: 6, attempts: 6 },
      { quality: 0.2, outcome: 'completed', n: 2, attempts: 2 },
      { quality: 0.2, outcome: 'stopped_early', n: 4, attempts: 0 },
    ])
    const reason = 'hyperband, band 2: 0.1 at iteration 2 is worse than 0.9, number 1 of 2 trials there (eta 3)'
    const [dropped] = journalRows<{ name: string }>(
      dir,
      "SELECT name FROM runs WHERE outcome = 'stopped_early' ORDER BY id LIMIT 1",
    )
    const why = await assay(['why', dir, String(dropped?.name)], { cwd })
    expect(why.stdout).toContain(reason)
    const status = await assay(['status', dir], { cwd })
    expect(status.stdout).toContain('2 stopped early')
    const again = await assay(['run', '--json'], { cwd })
    expect(summaryOf(again)).toMatchObject({ completed: 16, stopped_early: 8, attempts: 16 })
    expect(made()).toHaveLength(16)
  })

  it('--count counts variants: a worker finishes its own, and leaves those of others', async () => {
    const { cwd, dir, made } = folder('search: { method: random, counts: variants }', '[1, 2, 3, 4, 5, 6, 7]')
    await assay(['sweep', 'experiment.yaml'], { cwd })
    const one = await assay(['worker', dir, '--count', '1', '--json'], { cwd })
    expect(one.stdout, one.stderr).toContain('made 1 trial (--count)')
    expect(made()).toHaveLength(6)
    const [two, three] = [
      startAssay(['worker', dir, '--count', '2'], { cwd }),
      startAssay(['worker', dir, '--count', '1'], { cwd }),
    ]
    expect([(await two.ended).status, (await three.ended).status]).toEqual([0, 0])
    expect(made()).toHaveLength(24)
    const trials = journalRows<{ n: number; workers: number }>(
      dir,
      `SELECT count(*) AS n, count(DISTINCT a.worker_id) AS workers FROM runs r JOIN attempts a ON a.run_id = r.id GROUP BY trial`,
    )
    expect(trials).toEqual(Array.from({ length: 4 }, () => ({ n: 6, workers: 1 })))
    const rest = await assay(['worker', dir, '--count', '9'], { cwd })
    expect(rest.status, rest.stderr).toBe(0)
    expect(made()).toHaveLength(42)
  })

  it('takes over a trial of a gone worker, and counts it', async () => {
    const { cwd, dir, made } = folder('search: { method: grid, counts: variants }', '[1, 2]')
    await assay(['sweep', 'experiment.yaml'], { cwd })
    journalRows(dir, 'SELECT 1')
    const first = startAssay(['worker', dir, '--count', '1'], { cwd, env: { SLOW: '1' } })
    await expect.poll(() => made().length).toBeGreaterThan(1)
    first.child.kill('SIGKILL')
    await first.ended
    await assay(['worker', dir, '--count', '1'], { cwd })
    const completed = journalRows<{ n: number }>(
      dir,
      "SELECT count(*) AS n FROM runs WHERE outcome = 'completed' GROUP BY trial",
    )
    expect(completed).toEqual([{ n: 6 }])
  })

  it('stops the same trials after kill -9 and with several processes as in one process', async () => {
    const rule = 'search: { method: grid, counts: variants, early_stop: { type: asha, min_iter: 2, eta: 2 } }'
    const levels = '[5, 1, 6, 2, 7, 3, 8, 4]'
    const whole = folder(rule, levels)
    await assay(['run', '--json'], { cwd: whole.cwd })
    const killed = folder(rule, levels)
    const first = startAssay(['run'], { cwd: killed.cwd, env: { SLOW: '1' } })
    await expect.poll(() => killed.made().length).toBeGreaterThan(9)
    first.child.kill('SIGKILL')
    await first.ended
    await assay(['run', '--json'], { cwd: killed.cwd })
    expect(outcomes(killed.dir).map(({ quality, outcome, n }) => ({ quality, outcome, n }))).toEqual(
      outcomes(whole.dir).map(({ quality, outcome, n }) => ({ quality, outcome, n })),
    )
  })

  it('with three workers, one of them killed, executes or drops every run once', async () => {
    const rule = 'search: { method: tpe, counts: variants, early_stop: { type: asha, min_iter: 2, eta: 2 } }'
    const { cwd, dir, made } = folder(rule, '[1, 2, 3, 4, 5, 6, 7, 8, 9]')
    await assay(['sweep', 'experiment.yaml'], { cwd })
    const workers = [1, 2, 3].map(() => startAssay(['worker', dir], { cwd, env: { SLOW: '1' } }))
    await expect.poll(() => made().length, { timeout: 60_000 }).toBeGreaterThan(5)
    workers[0]?.child.kill('SIGKILL')
    await Promise.all(workers.map(({ ended }) => ended))
    const rest = await assay(['worker', dir, '--json'], { cwd })
    expect(rest.status, rest.stderr).toBe(0)
    const trials = journalRows<{ completed: number; dropped: number; made: number }>(
      dir,
      `SELECT sum(outcome = 'completed') AS completed, sum(outcome = 'stopped_early') AS dropped,
         sum(outcome = 'stopped_early' AND EXISTS (
           SELECT 1 FROM attempts WHERE run_id = runs.id AND facts ->> 'error_class' IS NOT 'lost')) AS made
       FROM runs GROUP BY trial`,
    )
    expect(trials).toHaveLength(9)
    // The killed worker's attempt is lost, and its run may be dropped afterwards.
    for (const { completed, dropped, made } of trials) expect([completed + dropped, made]).toEqual([6, 0])
    expect(trials.some(({ dropped }) => dropped > 0)).toBe(true)
    const twice = journalRows(
      dir,
      "SELECT run_id FROM attempts WHERE outcome = 'completed' GROUP BY run_id HAVING count(*) > 1",
    )
    expect(twice).toEqual([])
  })

  it('ends when a whole variant reaches the target on average, not one lucky run of it', async () => {
    const { cwd } = folder(
      'search: { method: grid, counts: variants, metric: solved, goal: maximize, target: 0.75 }',
      '[0.1, 0.8, 0.9]',
    )
    const ended = await assay(['run', '--json'], { cwd })
    expect(ended.stdout, ended.stderr).toContain('solved is 0.8')
    expect(Number(summaryOf(ended).completed)).toBeGreaterThanOrEqual(12)
    const lucky = folderWith({
      'score.mjs': `export default async ({ quality }, { block }) => ({ solved: block.task === 'a' ? 1 : quality })`,
      'experiment.yaml': experiment('search: { method: grid, counts: variants, target: 0.75 }', '[0.1, 0.2, 0.3]'),
    })
    const never = await assay(['run', '--json'], { cwd: lucky })
    expect(summaryOf(never), never.stderr).toMatchObject({ completed: 18 })
  })

  it.each([1, 2, 3, 4])('drops exactly what a straightforward hyperband over running means drops (%i)', async seed => {
    const random = seededRandom(seed)
    const tasks = Array.from({ length: 12 }, (_, index) => `t${index}`)
    const scores = Array.from({ length: 9 }, () => tasks.map(() => Math.round(100 * random.next()) / 100))
    const cwd = folderWith({
      'score.mjs': `const scores = ${JSON.stringify(scores)}
        export default async ({ v }, { block }) => ({ solved: scores[v][Number(block.task.slice(1))] })`,
      'experiment.yaml': `
name: trials
target: { kind: function, module: score.mjs }
factors: { v: [0, 1, 2, 3, 4, 5, 6, 7, 8] }
blocks: { task: ${JSON.stringify(tasks)} }
metrics: { solved: { goal: maximize } }
search: { method: grid, counts: variants, early_stop: { type: hyperband, min_iter: 2, eta: 2, strict: true } }
order: listed
limits: { jobs: 1 }`,
    })
    await assay(['run', '--json'], { cwd })
    const made = journalRows<{ v: number; n: number }>(
      join(cwd, 'results/trials'),
      `SELECT spec ->> '$.params.v' AS v, sum(outcome = 'completed') AS n FROM runs GROUP BY 1 ORDER BY 1`,
    ).map(({ n }) => n)
    expect(made).toEqual(hyperbandLengths(scores, [2, 4, 8], 2))
    expect(new Set(made).size).toBeGreaterThan(1)
  })

  it('runs a dropped run on request by name', async () => {
    const { cwd, dir } = folder(
      'search: { method: grid, counts: variants, early_stop: { type: hyperband, min_iter: 2 } }',
    )
    await assay(['run', '--json'], { cwd })
    const [dropped] = journalRows<{ name: string }>(
      dir,
      "SELECT name FROM runs WHERE outcome = 'stopped_early' ORDER BY id LIMIT 1",
    )
    const again = await assay(['run', '--json', '--rerun', String(dropped?.name)], { cwd })
    expect(summaryOf(again), again.stderr).toMatchObject({ completed: 17, stopped_early: 7 })
  })

  it('refuses to count variants if cells list their own blocks', async () => {
    const { cwd } = folder('search: { method: grid, counts: variants }\ncells: [{ task: [a, b] }]')
    const ended = await assay(['plan'], { cwd })
    expect(ended.status).toBe(2)
    expect(ended.stderr).toContain('variants can only be counted if each is run in all blocks')
  })
})
