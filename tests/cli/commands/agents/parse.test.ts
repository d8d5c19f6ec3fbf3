import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseCsv } from '../../../../src/util/csv.ts'
import { fork, legacy, mini } from '../../../models/trajectory/swe-agent-files.ts'
import { assay, complaint, folderWith } from '../../../support/assay.ts'

const files = {
  'runs/django__django-1/django__django-1.traj': JSON.stringify(fork),
  'runs/flask-2/flask-2.traj': JSON.stringify(legacy),
  'runs/flask-3/flask-3.traj': '{"trajectory": [',
  'runs/preds.json': '{}',
}

test('prints every number of the folder, exit categories, rows, and broken files', async () => {
  const cwd = folderWith(files)
  const { status, stdout, stderr } = await assay(['parse', 'runs'], { cwd })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toMatchInlineSnapshot(`
    "runs: 2 trajectories

    Instances
      instances               2
      submitted               2 (100.0%)

    Cost
      total                   $1.1000
      average                 $0.5500
      agent                   $1.0000
      summariser              $0.1000 (9.1%)
      retry loop              $0.0000 (0.0%)

    Turns and calls
      turns                   6 (average 3.0)
      calls of the agent      5 (average 2.5)
      calls of the summariser 1
      calls of the retry loop 0

    Tokens
      raw input               1,200
      cached input            unknown
      output                  40
      reasoning               unknown
      cache hit rate          unknown

    Exit categories
      submitted               1
      exit_cost               1

    instance          model                   strategy  exit status            turns  calls     cost
    django__django-1  deepseek/deepseek-chat  hybrid    submitted (exit_cost)      4      3  $0.6000
    flask-2                                             submitted                  2      2  $0.5000

    ! 1 file could not be read:
      flask-3/flask-3.traj: is not valid JSON: Unexpected end of JSON input
    "
  `)
})

test('prints all of it as JSON', async () => {
  const cwd = folderWith(files)
  const { status, stdout } = await assay(['parse', 'runs', '--json'], { cwd })
  expect(status).toBe(0)
  const document = JSON.parse(stdout)
  expect(document).toMatchObject({
    ...{ n_instances: 2, n_submitted: 2, submission_rate: 1, total_cost: 1.1, avg_cost: 0.55, total_agent_cost: 1 },
    ...{ total_summary_cost: 0.1, total_turns: 6, avg_turns: 3, total_api_calls: 5, avg_api_calls: 2.5 },
    ...{ total_raw_input_tokens: 1200, total_cached_input_tokens: null, total_output_tokens: 40, cache_hit_rate: null },
    exit_categories: { submitted: 1, exit_cost: 1 },
    unknown: { cached_input_tokens: 1, cache_hit_rate: 1, instance_duration_ms: 1, internal_reasoning_tokens: 1 },
    n_broken: 1,
    broken: [{ file: 'flask-3/flask-3.traj', reason: expect.stringContaining('is not valid JSON') }],
    repeated_instances: {},
  })
  expect(document.summary_cost_fraction).toBeCloseTo(0.1 / 1.1, 12)
  expect(document.instances).toMatchObject([
    {
      instance_id: 'django__django-1',
      exit_category: 'exit_cost',
      submitted: true,
      n_turns: 4,
      model: 'deepseek/deepseek-chat',
    },
    { instance_id: 'flask-2', cache_hit_rate: null, file: 'flask-2/flask-2.traj', recorded_by: 'swe-agent' },
  ])
})

test('writes instances.csv with exactly its columns', async () => {
  const cwd = folderWith(files)
  const { status, stdout } = await assay(['parse', 'runs', '--output', 'out/instances.csv'], { cwd })
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'wrote: out/instances.csv\n' })
  const [head = [], ...rows] = parseCsv(readFileSync(join(cwd, 'out/instances.csv'), 'utf8'))
  const first = Object.fromEntries(head.map((name, at) => [name, rows[0]?.[at]]))
  expect(head).toHaveLength(25)
  expect(first).toMatchObject({
    instance_id: 'django__django-1',
    repo: 'django',
    submitted: 'True',
    total_cost: '0.6',
    patch_lines: '2',
  })
  expect(rows[1]?.[head.indexOf('cached_input_tokens')]).toBe('')
  expect((await assay(['collect', 'runs', '--out', '-'], { cwd })).stdout).toBe(
    readFileSync(join(cwd, 'out/instances.csv'), 'utf8'),
  )
})

test('names instances that occur in several files', async () => {
  const cwd = folderWith({ 'a/x.traj': JSON.stringify(legacy), 'b/x.traj': JSON.stringify(legacy) })
  const { stdout } = await assay(['parse', '.', '--json'], { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ n_instances: 2, repeated_instances: { x: ['a/x.traj', 'b/x.traj'] } })
})

test('exits with 1 if nothing is found, with 2 if there is no folder', async () => {
  const cwd = folderWith({ 'empty/readme.txt': 'no', 'broken/x.traj': '[', 'a.traj': '{}' })
  const empty = await assay(['parse', 'empty'], { cwd })
  expect([empty.status, complaint(empty, { cwd })]).toEqual([1, 'no trajectories in empty'])
  const broken = await assay(['parse', 'broken'], { cwd })
  expect(broken.status).toBe(1)
  expect(complaint(broken, { cwd })).toContain('x.traj: is not valid JSON')
  const json = await assay(['parse', 'broken', '--json'], { cwd })
  expect([json.status, JSON.parse(json.stdout)]).toMatchObject([1, { n_instances: 0, submission_rate: 0, n_broken: 1 }])
  const missing = await assay(['parse', 'nowhere'], { cwd })
  expect([missing.status, complaint(missing, { cwd })]).toMatchObject([
    2,
    expect.stringContaining('nowhere does not exist'),
  ])
  expect((await assay(['parse', 'a.traj'], { cwd })).status).toBe(2)
  expect((await assay(['parse', 'empty', '--output', 'x.txt'], { cwd })).status).toBe(2)
})

/** Two agents on twelve instances each; the cheaper one costs half. */
function twoAgents(): Readonly<Record<string, string>> {
  const costs = Array.from({ length: 12 }, (_, at) => 1 + at / 10)
  const file = (cost: number) =>
    JSON.stringify({ ...mini, info: { ...mini.info, model_stats: { instance_cost: cost, api_calls: 2 } } })
  return Object.fromEntries(
    costs.flatMap((cost, at) => [
      [`t/raw/task-${at}.traj.json`, file(cost)],
      [`t/masked/task-${at}.traj.json`, file(cost / 2)],
    ]),
  )
}

test('compare, analyze, report and effects take a folder of trajectories as an experiment', async () => {
  const cwd = folderWith({ ...twoAgents(), 't/raw/broken.traj': '{' })
  const within = await assay(['compare', 't', '--metric', 'total_cost', '--json'], { cwd })
  expect(within.status, within.stderr).toBe(0)
  expect(within.stderr).toContain('t/raw/broken.traj is not valid JSON')
  expect(JSON.parse(within.stdout)).toMatchObject({ control: 'masked', candidate: 'raw', n: { pairs: 12 } })
  const between = await assay(['compare', 't/raw', 't/masked', '--metric', 'total_cost', '--json'], { cwd })
  expect(between.status, between.stderr).toBe(0)
  const comparison = JSON.parse(between.stdout)
  expect(comparison).toMatchObject({ verdict: 'better', n: { pairs: 12 } })
  expect(comparison.estimate).toBeCloseTo(-0.775, 9)
  for (const line of [
    ['analyze', 't', '--to', 'analysis'],
    ['report', 't', '--out-dir', 'report'],
    ['effects', 't', '--metric', 'n_turns'],
  ]) {
    const { status, stderr } = await assay(line, { cwd })
    expect([line[0], status], stderr).toEqual([line[0], 0])
  }
  const { stdout } = await assay(['report', 't', '--format', 'md', '--output', '-'], { cwd })
  expect(stdout).toContain('raw is worse on total_cost than masked')
})
