import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { assay, folderWith } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'

const files = {
  'experiment.yaml': `
name: arms
target: { kind: function, module: score.mjs }
factors: { arm: [old, new] }
blocks: { seed: 1..8 }
metrics: { score: { goal: maximize, primary: true }, cost_usd: { goal: minimize } }
`,
  'score.mjs': `export default ({ arm }, { seed, random }) => {
  if (arm === 'new' && seed === 3) throw new Error('lost')
  return { score: seed + (arm === 'new' ? 1 : 0) + random() * (arm === 'new' ? 2 : 1), cost_usd: 0.01 }
}
`,
}

/** The old arm runs at one commit; the new one at another, or with uncommitted changes. */
async function arms(change: 'committed' | 'uncommitted' | 'none') {
  const cwd = folderWith(files)
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    }).trim()
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'first')
  const first = git('rev-parse', 'HEAD')
  await assay(['run', '-q', '--filter', 'arm=old'], { cwd })
  if (change !== 'none') appendFileSync(join(cwd, 'score.mjs'), '// faster\n')
  if (change === 'committed') git('commit', '-qam', 'second')
  const second = git('rev-parse', 'HEAD')
  await assay(['run', '-q', '--stale', 'keep'], { cwd })
  return { cwd, first, second }
}

async function told(args: readonly string[], cwd: string) {
  const { stdout, stderr, status } = await assay([...args, '--json'], { cwd })
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

const commands = [
  ['compare'],
  ['effects'],
  ['variance', '--metric', 'score', '--output', 'none'],
  ['power', 'results/arms', '--effect', '1', '--trials', '200'],
  ['analyze'],
  ['diff', 'results/arms', '--control', 'arm=old', '--candidate', 'arm=new'],
]

it('every report has its provenance: version, definition, commits, runs, exclusions, settings', async () => {
  const { cwd, first } = await arms('none')
  const names = journalRows<{ name: string }>(join(cwd, 'results/arms'), 'SELECT name FROM runs ORDER BY name')
  for (const command of commands) {
    const { provenance } = await told(command, cwd)
    expect(provenance, command.join(' ')).toMatchObject({
      assay: manifest.version,
      sources: [{ kind: 'experiment', name: 'arms', sha256: expect.stringMatching(/^[0-9a-f]{64}$/), planned: 16 }],
      filter: [],
    })
    expect(provenance.arms.map((one: { arm: string }) => one.arm.replace('arm=', ''))).toEqual(['old', 'new'])
    const used = provenance.arms.flatMap((one: { runs: readonly string[] }) => one.runs)
    expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(used))
    for (const { code, runs } of provenance.arms)
      expect(code).toEqual([{ commit: first, dirty: false, runs: runs.length }])
    expect(provenance.excluded).toContainEqual({
      arm: expect.stringContaining('new'),
      what: expect.stringMatching(/^arm-new_seed-3__/),
      reason: expect.stringContaining('failed'),
    })
    expect(provenance.settings.metric).toBe('score')
  }
  const { provenance } = await told(['compare'], cwd)
  expect(provenance.settings).toMatchObject({
    method: 'auto',
    intervals: ['wider'],
    alpha: 0.05,
    seed: 1,
    resamples: 10_000,
  })
  // Pairs of which one side failed are used on neither side.
  expect(provenance.arms.map((one: { runs: readonly string[] }) => one.runs.length)).toEqual([7, 7])
  expect(provenance.excluded).toContainEqual({
    arm: null,
    what: 'seed 3',
    reason: 'only one of old and new has a value there',
  })
})

it('arms of a comparison can have different commits', async () => {
  const { cwd, first, second } = await arms('committed')
  const { provenance, warnings } = await told(['compare'], cwd)
  expect(provenance.arms).toMatchObject([
    { arm: 'old', code: [{ commit: first, dirty: false, runs: 7 }] },
    { arm: 'new', code: [{ commit: second, dirty: false, runs: 7 }] },
  ])
  expect(warnings.join()).toContain(`old with ${first.slice(0, 12)}, new with ${second.slice(0, 12)}`)
  const { stdout } = await assay(['compare'], { cwd })
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
    new RegExp(
      `^from 16 runs of arms \\(definition [0-9a-f]{12}\\) at ${first.slice(0, 12)} and ${second.slice(0, 12)}; assay .*, seed 1, 10000 resamples$`,
    ),
  )
})

it('uncommitted changes are reported in JSON, CSV, Markdown and text', async () => {
  const { cwd, first } = await arms('uncommitted')
  const { provenance } = await told(['compare', '--csv-path', 'out.csv'], cwd)
  expect(provenance.arms).toMatchObject([
    { arm: 'old', code: [{ commit: first, dirty: false }] },
    { arm: 'new', code: [{ commit: first, dirty: true }] },
  ])
  const [head, ...rows] = readFileSync(join(cwd, 'out.csv'), 'utf8').trimEnd().split('\n')
  expect(head).toMatch(/^group,label,value_or_control,candidate_value_optional,/)
  expect(rows).toContain(`provenance,arm,,,,"new: 7 runs, at ${first} with uncommitted changes"`)
  expect(rows).toContain('provenance,seed,,,,1')
  expect(rows).toContain(`provenance,experiment,,,,"arms: 16 runs, definition ${provenance.sources[0].sha256}"`)
  expect(rows.filter(row => row.startsWith('provenance,excluded'))).toHaveLength(2)

  const { stdout } = await assay(['analyze', '--report'], { cwd })
  expect(stdout).toContain('## Provenance')
  expect(stdout).toContain(`- arm: arm=new: 8 runs, at ${first} with uncommitted changes`)
  const patterns = JSON.parse(readFileSync(join(cwd, 'results/arms/analysis/patterns.json'), 'utf8'))
  expect(patterns.provenance.arms).toHaveLength(2)
  expect((await assay(['compare'], { cwd })).stdout).toContain(`${first.slice(0, 12)} with uncommitted changes; assay`)
})

it('a table is identified by its name and digest, and filters are listed', async () => {
  const table = `model,task,seconds\n${['small', 'large'].flatMap(model => Array.from({ length: 9 }, (_, task) => `${model},t${task},${task + model.length + Math.sin(task)}`)).join('\n')}\n`
  const cwd = folderWith({ 'scores.csv': table })
  const line = ['compare', 'scores.csv', '--group', 'model', '--pair-by', 'task', '--metric', 'seconds']
  const { provenance } = await told([...line, '--filter', "task != 't0'"], cwd)
  expect(provenance).toMatchObject({
    sources: [
      { kind: 'table', name: 'scores.csv', sha256: createHash('sha256').update(table).digest('hex'), runs: 16 },
    ],
    filter: ["task != 't0'"],
    arms: [
      { arm: 'small', code: [{ commit: null, dirty: false, runs: 8 }] },
      { arm: 'large', code: [{ commit: null, dirty: false, runs: 8 }] },
    ],
  })
  const { stdout } = await assay(line, { cwd })
  expect(stdout).toMatch(/^from 18 rows of scores\.csv \(SHA-256 [0-9a-f]{12}\); assay /m)
})

it('the digest of a definition does not depend on its place, but on its content', async () => {
  const digestOf = async (text: string) => {
    const cwd = folderWith({ ...files, 'experiment.yaml': text })
    await assay(['run', '-q', '--filter', 'arm=old', '--exp-name', `x${text.length}`], { cwd })
    return (await told(['variance', `results/x${text.length}`, '--metric', 'score', '--output', 'none'], cwd))
      .provenance.sources[0].sha256
  }
  const text = files['experiment.yaml']
  expect(await digestOf(text)).toBe(await digestOf(`${text}\n# a remark\n`))
  expect(await digestOf(text)).not.toBe(await digestOf(text.replace('1..8', '1..9')))
})

it('the same runs give the same bytes', async () => {
  const { cwd } = await arms('none')
  for (const command of commands) {
    const [one, other] = [await assay([...command, '--json'], { cwd }), await assay([...command, '--json'], { cwd })]
    expect(one.stdout).toBe(other.stdout)
  }
})
