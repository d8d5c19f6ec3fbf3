import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { assay, folderWith } from '../../../support/assay.ts'
import { prepared } from '../../../support/prepared.ts'

const shared = fileURLToPath(new URL('../../../../../shared/data/cascade/default-sweep-runs.csv', import.meta.url))

const files = {
  'work.mjs': `export default ({ arm }, { seed, report }) => {
  report('cost_usd', arm === 'b' ? 0.02 : 0.01)
  for (let step = 1; step <= 3; step++) { report('loss', seed / step, step); report('speed/fast', seed * step, step) }
  if (seed === 3 && arm === 'c') throw new RangeError('</script><script>alert(1)</script>')
  return { score: seed + { a: 0, b: 2, c: -1 }[arm] + 0.1 * Math.sin(seed * arm.charCodeAt(0)), steps: 10 * seed }
}
`,
  'e.yaml': `name: e
target: { kind: function, module: work.mjs }
factors: { arm: [a, b, c] }
seeds: 1..8
metrics: { score: { goal: maximize, primary: true } }
`,
}

const experiment = prepared(async () => {
  const cwd = folderWith(files)
  await assay(['run', 'e.yaml', '-q'], { cwd })
  return cwd
})

describe('assay report', () => {
  it('writes one page beside the results, and prints the answer', async () => {
    const cwd = await experiment()
    const { status, stdout } = await assay(['report', 'results/e'], { cwd })
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /^b is better on score than a by [12]\.\d+ \(simultaneous 95% CI .*\), paired on 8 seeds\.\nwrote: results\/e\/report\/index\.html\n$/,
    )
    const html = readFileSync(join(cwd, 'results/e/report/index.html'), 'utf8')
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/)
    // Nothing from other hosts, and only one script; a run's output is packed, or escaped.
    expect(html).not.toMatch(/<(link|img|iframe|script)[^>]+(src|href)=/)
    expect(html.match(/<script>/g)).toHaveLength(1)
    expect(html).not.toContain('alert(1)')
    expect(html).toContain("default-src 'none'; script-src 'sha256-")
    expect(html).toContain('<p class="headline">b is better on score than a by ')
  })

  it('shows cases × variants in Markdown too, disagreements first', async () => {
    const cwd = folderWith({
      'e.yaml': `name: asked
target:
  kind: prompt
  prompts: { plain: "Say {{word}}", polite: "Please say {{word}}" }
  models: [sim/a]
  tests: [{ id: one, vars: { word: "yes" } }, { id: two, vars: { word: "no" } }]
  assert: [{ type: contains, value: "OK" }]
models:
  sim/a:
    rules: [{ contains: "Please", answer: "OK | <b>now</b>" }, { contains: "yes", answer: OK }, { answer: "not today" }]
`,
    })
    await assay(['run', 'e.yaml', '-q'], { cwd })
    const { stdout } = await assay(['report', 'results/asked', '--format', 'md', '--output', '-'], { cwd })
    expect(
      stdout.slice(stdout.indexOf('## Cases'), stdout.indexOf('\n\n##', stdout.indexOf('## Cases'))),
    ).toMatchInlineSnapshot(`
      "## Cases × variants

      The variants disagree about 1 of 2 cases.

      | case | prompt=plain (1 of 2) | prompt=polite (2 of 2) |
      |---|---|---|
      | two (they disagree) | **fail**: does not contain "OK" “not today” | pass “OK \\| \\<b>now\\</b>” |
      | one | pass “OK” | pass “OK \\| \\<b>now\\</b>” |"
    `)
  })

  it('is deterministic', async () => {
    const cwd = await experiment()
    await assay(['report', 'results/e', '--output', 'one.html'], { cwd })
    await assay(['report', 'results/e', '--output', 'two.html'], { cwd })
    expect(readFileSync(join(cwd, 'one.html')).equals(readFileSync(join(cwd, 'two.html')))).toBe(true)
  })

  it('opens with the requested metric, baseline, confidence and filter', async () => {
    const cwd = await experiment()
    const asked = ['--metric', 'steps', '--control', 'arm=b', '--alpha', '0.01', '--filter', 'seed > 2']
    const { stdout } = await assay(['report', 'results/e', '--format', 'json', '--output', '-', ...asked], { cwd })
    const report = JSON.parse(stdout)
    expect(report.view).toMatchObject({
      metric: 'steps',
      group: ['arm'],
      baseline: { arm: 'b' },
      alpha: 0.01,
      filter: 'seed > 2',
    })
    const compared = await assay(['compare', 'results/e', '--json', ...asked], { cwd })
    expect(report.comparisons.comparisons).toEqual(
      JSON.parse(compared.stdout).comparisons.map(
        ({ provenance: _, ...comparison }: Record<string, unknown>) => comparison,
      ),
    )
  })

  it('writes Markdown, CSV, JUnit XML and pictures', async () => {
    const cwd = await experiment()
    const report = (format: string, ...more: readonly string[]) =>
      assay(['report', 'results/e', '--format', format, ...more], { cwd })
    const { stdout: md } = await report('md', '--output', '-')
    expect(md).toMatch(
      /^# e\n\n`exploratory` `complete: 24 runs` `1 without a result`\n\n\*\*b is better on score than a/,
    )
    expect(md).toContain('## Runs without a result, by class')
    expect(md).not.toMatch(/(?<!\\)<\/?script/)
    expect((await report('csv', '--output', '-')).stdout).toMatch(/^candidate,control,n,difference,.*\nb,a,8,/)
    const junit = (await report('junit', '--output', '-')).stdout
    expect(junit).toContain('<testsuites name="e" tests="24" failures="1" errors="0" skipped="0">')
    expect(junit).toContain('type="RangeError" message="&lt;/script&gt;')
    const { stdout: written } = await report('svg')
    expect(written).toContain('wrote: results/e/report/assets/differences.svg')
    // Where the page lets its reader choose one of several, all are there.
    for (const name of ['curves', 'curves-speed-fast', 'variance-a', 'variance-c', 'bootstrap-b', 'bootstrap-c'])
      expect(written).toContain(`wrote: results/e/report/assets/${name}.svg\n`)
    expect(written.match(/assets\/q-q-/g)).toHaveLength(2)
    expect(readFileSync(join(cwd, 'results/e/report/assets/distributions.svg'), 'utf8')).toMatch(/^<svg /)
    await report('png', '--output', 'all.png')
    expect(readFileSync(join(cwd, 'all.png')).subarray(1, 4).toString()).toBe('PNG')
  })

  it('has the content of the page in Markdown: numbers, distributions, failures and runs', async () => {
    const cwd = await experiment()
    await assay(['run', 'e.yaml', '-q', '--seeds', '1..20'], { cwd })
    const { stdout: md } = await assay(['report', 'results/e', '--format', 'md', '--output', '-'], { cwd })
    expect(md).toMatch(
      /\n\| {2}\| {2}\| {2}\|\n\|---\|---\|---\|\n\| Difference: b − a \| [\d.]+ \| simultaneous 95% CI .* \|\n\| Pairs \| 20 \| 20 seeds \|\n\| p \| .* \|\n\| Cost \| \$0\.\d\d \| all 60 runs \|\n\| Time \|/,
    )
    expect(md).toMatch(
      /\n## score over runs\n\n\| arm \| runs with a value \| without \| least \| .*\n.*\n\| a \| 20 \| 0 \| /,
    )
    expect(md).toMatch(
      /\n## Examples of failures\n\n\| class \| run \| .*\n.*\n\| failed: RangeError.* \| arm-c_seed-3__\w+ \| \\<\/script>/,
    )
    expect(md).toMatch(/\n## Runs\n\n\| run \| arm \| seed \| outcome \| score \|/)
    expect(md).toContain('\n10 more: assay collect writes all of them.\n')
    expect(md).not.toMatch(/\d\.\d{12}/)
    expect(md.match(/^# /gm)).toHaveLength(1)
  })

  it('writes the variants of a search as CSV', async () => {
    const cwd = folderWith({
      ...files,
      'e.yaml': `${files['e.yaml']}search: { method: random, metric: score, max_runs: 8 }\n`,
    })
    await assay(['run', 'e.yaml', '-q'], { cwd })
    const { stdout } = await assay(['report', 'results/e', '--format', 'csv', '--output', '-'], { cwd })
    expect(stdout).toMatch(/^variant,runs,completed,score,95% CI low,95% CI high,sd,/)
  })

  it.each([
    [['--format', 'jsonl'], 'report does not write jsonl'],
    [['--metric', 'scor'], 'did you mean "score"?'],
    [['--control', 'arm=z'], 'no run has arm=z'],
    [['--filter', 'arm=z'], 'no run passes the filter'],
  ])('refuses %s with advice', async (wrong, said) => {
    const cwd = await experiment()
    const { status, stderr } = await assay(['report', 'results/e', ...wrong], { cwd })
    expect(status).toBe(2)
    expect(stderr).toContain(said)
    expect(existsSync(join(cwd, 'results/e/report'))).toBe(false)
  })

  it('reports several experiments as one, and any table', async () => {
    const cwd = await experiment()
    await assay(['run', 'e.yaml', '-q', '--exp-name', 'f', '--seeds', '1..8'], { cwd })
    const both = await assay(['report', 'results/e', 'results/f', '--json'], { cwd })
    expect(JSON.parse(both.stdout).files).toEqual([join(cwd, 'report/index.html')])
    await assay(['collect', 'results/e'], { cwd })
    const table = ['report', 'results/e/aggregate/runs.csv', '--group', 'arm', '--pair-by', 'seed', '--metric', 'score']
    const { stdout } = await assay(table, { cwd })
    expect(stdout).toMatch(/^b is higher on score than a by/)
  })
})

describe('a sweep of the matrix runner', () => {
  it('has its three charts under their names, as SVG and PNG', async () => {
    const matrix = {
      name: 'smoke',
      sim_binary: './build/agent_sched_sim',
      common_args: { pdfs: 3, iters: 1, subqueries: 2, time_scale: 50, heavy_tail_prob: 0.02, heavy_tail_mult: 50 },
      matrix: {
        workflows: [2],
        policy: ['fifo_cheapest', 'full'],
        seeds: [1, 2],
        ablations: [
          { name: 'baseline', flags: [] },
          { name: 'no_hedge', flags: ['--disable_hedging'] },
        ],
      },
    }
    const cwd = folderWith({ 'smoke.json': JSON.stringify(matrix) })
    await assay(['run', '-c', 'smoke.json', '-q'], { cwd })
    const { status, stdout } = await assay(['report', '--exp_dir', 'bench_runs/smoke'], { cwd })
    expect(status).toBe(0)
    const names = ['makespan_by_policy', 'cost_by_policy', 'ablation_deltas_full_p95_ratio']
    for (const name of names)
      for (const ending of ['svg', 'png']) {
        expect(stdout).toContain(`wrote: bench_runs/smoke/report/assets/${name}.${ending}\n`)
        expect(existsSync(join(cwd, `bench_runs/smoke/report/assets/${name}.${ending}`))).toBe(true)
      }
  })

  it('of another program, without its metrics, has only the page', async () => {
    const cwd = folderWith({ 'other.csv': 'run_id,policy,seed,score\na,x,1,0.5\nb,y,1,0.75\nc,x,2,0.25\nd,y,2,1\n' })
    const { status, stdout } = await assay(['report', '--runs_csv', 'other.csv', '--metric', 'score'], { cwd })
    expect({ status, files: stdout.match(/(wrote|left out): .*/g) }).toEqual({
      status: 0,
      files: [
        'wrote: report/index.html',
        'left out: makespan_by_policy: no completed run has makespan_p50_ms or makespan_p95_ms or makespan_p99_ms',
        'left out: cost_by_policy: no completed run has cost_mean',
        'left out: ablation_deltas_full_p95_ratio: there are no ablations',
      ],
    })
    const { stdout: json } = await assay(['report', '--runs_csv', 'other.csv', '--metric', 'score', '--json'], { cwd })
    expect(JSON.parse(json).left_out).toContainEqual({
      chart: 'cost_by_policy',
      reason: 'no completed run has cost_mean',
    })
  })

  it('can be read from its own table, with the published ratios', async ({ skip }) => {
    if (!existsSync(shared)) return skip(`${shared} is not there`)
    const cwd = folderWith()
    const { status } = await assay(['report', '--runs_csv', shared, '--out_dir', 'out'], { cwd })
    expect(status).toBe(0)
    const svg = readFileSync(join(cwd, 'out/assets/ablation_deltas_full_p95_ratio.svg'), 'utf8')
    expect(svg).toMatch(/no_hedge: 1\.02\b.*no_escalation: 0\.98\b.*no_dag_priority: 0\.708/)
  })
})
