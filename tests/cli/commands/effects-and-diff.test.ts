import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, assayProcess, folderWith } from '../../support/assay.ts'
import { defaultJson, simulator } from '../../support/matrix-json.ts'

const experiment = `
name: small
target: { kind: function, module: score.mjs }
factors: { policy: [a, b], load: [1, 2] }
blocks: { seed: 1..6 }
metrics: { score: { goal: maximize, primary: true } }
`
const score = `export default ({ policy, load }, { random }) => ({ score: (policy === 'b' ? 2 : 0) + load + random() * load * (policy === 'b' ? 0.2 : 0.1) })\n`

async function ranExperiment(): Promise<string> {
  const cwd = folderWith({ 'experiment.yaml': experiment, 'score.mjs': score })
  expect((await assay(['run', '-q'], { cwd })).status).toBe(0)
  return cwd
}

it('effects begins with sentences and has every table', async () => {
  const cwd = await ranExperiment()
  const { stdout, status } = await assay(['effects', 'results/small'], { cwd })
  expect(status).toBe(0)
  expect(stdout).toMatch(
    /^The largest effect shown on score is that of policy: b is better on score than a by 2\.\d+ \(95% CI .*\n\nb is better/,
  )
  for (const title of ['spread of score goes with', 'effect of', 'more than the sum of both', 'within'])
    expect(stdout).toContain(title)
})

it('effects of hundreds of levels shows the largest and gives their number', async () => {
  const rows = Array.from({ length: 300 }, (_, size) =>
    [1, 2, 3].map(seed => `${size},${seed},${size === 0 ? 0 : (size * 37) % 300}.${(size * seed) % 7}`),
  )
  const cwd = folderWith({ 'runs.csv': `size,seed,score\n${rows.flat().join('\n')}\n` })
  const args = ['effects', 'runs.csv', '--group', 'size', '--pair-by', 'seed', '--metric', 'score']
  const { stdout } = await assay(args, { cwd })
  expect(stdout).toContain('and 259 smaller effects')
  expect(stdout).toContain('the 100 largest of 299: --json has all, --filter leaves fewer')
  // 227 × 37 leaves 299, the most there is.
  expect(stdout).toMatch(/^The largest effect shown on score is that of size: .*\n\nsize=227 is /)
  expect(JSON.parse((await assay([...args, '--json'], { cwd })).stdout).main).toHaveLength(299)
})

it('effects keeps names unchanged, and gives the number of units behind shares', async () => {
  const rows = Array.from({ length: 12 }, (_, at) =>
    ['a', 'b', 'B'].map(
      (arm, place) => `${arm},t${at},${arm === 'B' && at >= 8 ? '' : place * 2 + Math.sin(at * (place + 1))}`,
    ),
  )
  const cwd = folderWith({ 'runs.csv': `arm,task,score\n${rows.flat().join('\n')}\n` })
  const args = ['effects', 'runs.csv', '--group', 'arm', '--pair-by', 'task', '--metric', 'score', '--missing', 'omit']
  const { stdout, stderr, status } = await assay(args, { cwd })
  expect(status, stderr).toBe(0)
  expect(stdout.split('\n').slice(2, 4)).toEqual([
    expect.stringMatching(/^B is higher on score than a/),
    expect.stringMatching(/^b is higher on score than a/),
  ])
  expect(stdout).toContain('! shares rest on 8 of 12 tasks: the others lack a value of some combination')
  const { shares } = JSON.parse((await assay([...args, '--json'], { cwd })).stdout)
  expect(shares).toMatchObject({ unit: 'task', units: 8, of: 12, parts: [{ source: 'arm' }, { source: 'task' }, {}] })
})

it('effects is deterministic, as JSON too', async () => {
  const cwd = await ranExperiment()
  const first = await assay(['effects', '--json'], { cwd })
  const second = await assay(['effects', '--json'], { cwd })
  expect(first.stdout).toBe(second.stdout)
  expect(JSON.parse(first.stdout)).toMatchObject({
    kind: 'effects',
    metric: 'score',
    main: [{ factor: 'policy' }, { factor: 'load' }],
  })
})

it('diff compares two experiments by definition and result', async () => {
  const cwd = await ranExperiment()
  await assay(['run', '-q', '--exp-name', 'other', '--set', 'policy=a,b', '--set', 'load=2,3'], { cwd })
  const { stdout, status } = await assay(['diff', 'results/small', 'results/other', '--json'], { cwd })
  expect(status).toBe(0)
  const report = JSON.parse(stdout)
  expect(report.definition).toEqual([{ path: 'factors.load.levels', before: [1, 2], after: [2, 3] }])
  expect(report.results).toMatchObject({ metric: 'score', same: 12, parted: [] })
  expect(report.results.one_sided).toHaveLength(24)
})

it('diff of variants lists the blocks where they differ', async () => {
  const cwd = await ranExperiment()
  const { stdout } = await assay(['diff', 'results/small', '--control', 'policy=a', '--candidate', 'policy=b'], { cwd })
  expect(stdout).toMatch(/^a and b: 1 difference in definition; score differs in 12 of 12 places that both have/)
})

it('diff of experiments without common runs says so, and not 0 of 0', async () => {
  const cwd = await ranExperiment()
  writeFileSync(join(cwd, 'score.mjs'), "export default () => { throw new Error('no') }\n")
  // In a separate process: a remaining thread in this one would have the old module.
  await assayProcess(['run', '-q', '--exp-name', 'other'], { cwd })
  const { stdout } = await assay(['diff', 'results/small', 'results/other'], { cwd })
  expect(stdout).not.toContain('0 of 0')
  expect(stdout.split('\n')[0]).toBe(
    'small and other: the same definition; there is no place where both have a value of score',
  )
  expect(stdout).toContain('only small has a value at policy=a load=1 seed=1: failed')
})

it('diff reports equal results, and says what it compares if nothing varies', async () => {
  const cwd = await ranExperiment()
  await assay(['run', '-q', '--exp-name', 'again'], { cwd })
  expect((await assay(['diff', 'results/small', 'results/again'], { cwd })).stdout).toContain(
    ': the same definition; score is the same in all 24 places that both have',
  )
  await assay(['run', '-q', '--exp-name', 'apart', '--set', 'policy=c', '--set', 'load=7', '--seeds', '8..9'], { cwd })
  expect((await assay(['diff', 'results/small', 'results/apart'], { cwd })).stdout).toContain('all runs together')
})

it('diff ignores the spelling of numbers in a matrix file', async () => {
  const spelt = (policies: string) => defaultJson.replace(/"policy":\[[^\]]*\]/, `"policy":["full"],"load":${policies}`)
  const small = (loads: string) => spelt(loads).replace(/"workflows":\[[^\]]*\]/, '"workflows":[5]')
  const cwd = folderWith({
    'a.json': small('[0.50, 1.0]'),
    'b.json': small('[0.5, 1]'),
    'build/agent_sched_sim': simulator,
  })
  for (const name of ['a', 'b']) {
    const { stderr, status } = await assay(
      ['run', '-c', `${name}.json`, '-q', '--exp-name', name, '--out-root', 'results'],
      { cwd },
    )
    expect([status, stderr]).toEqual([0, ''])
  }
  const { stdout } = await assay(['diff', 'results/a', 'results/b', '--metric', 'wall_s', '--json'], { cwd })
  expect(JSON.parse(stdout).definition).toEqual([])
})

it('diff explains its arguments', async () => {
  const cwd = await ranExperiment()
  const { stderr, status } = await assay(['diff', 'results/small'], { cwd })
  expect(status).toBe(2)
  expect(stderr).toContain('two experiments, or one with --control and --candidate')
})

it('diff does not claim equal code if changes were not committed', async () => {
  const cwd = folderWith({ 'experiment.yaml': experiment, 'score.mjs': score })
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@test.invalid', ...args], {
      cwd,
      stdio: 'ignore',
    })
  git('init', '-q')
  git('add', 'experiment.yaml', 'score.mjs')
  git('commit', '-qm', 'first')
  await assay(['run', '-q', '--exp-name', 'before'], { cwd })
  writeFileSync(join(cwd, 'score.mjs'), score.replace('? 2 : 0', '? 3 : 0'))
  await assay(['run', '-q', '--exp-name', 'after'], { cwd })
  const { stdout } = await assay(['diff', 'results/before', 'results/after'], { cwd })
  expect(stdout).toContain('what changed is not known: there were uncommitted changes')
  expect(stdout).not.toContain('nothing changed')
})

it('diff of variants compares levels, not single runs, and matches common ones', async () => {
  const conditional = `
name: small
target: { kind: function, module: score.mjs }
factors: { policy: [a, b], load: [1, 2], extra: { values: [5, 6], when: "policy == 'a'" } }
blocks: { seed: 1..3 }
metrics: { score: { goal: maximize, primary: true } }
`
  const cwd = folderWith({ 'experiment.yaml': conditional, 'score.mjs': score })
  await assay(['run', '-q'], { cwd })
  const { stdout } = await assay(
    ['diff', 'results/small', '--control', 'policy=a', '--candidate', 'policy=b', '--json'],
    { cwd },
  )
  const { definition, results } = JSON.parse(stdout)
  expect(definition).toEqual([
    { path: 'policy', before: 'a', after: 'b' },
    { path: 'extra', before: [5, 6], after: null },
  ])
  expect(results.parted).toHaveLength(6)
})
