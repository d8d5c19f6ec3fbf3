import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { assay, folderWith } from '../../../support/assay.ts'

const grid = {
  'experiment.yaml': `
name: queue
target: { kind: function, module: wait.mjs }
factors: { policy: [first, shortest, broken], load: [0.7, 0.9] }
seeds: 1..8
metrics: { wait_ms: { goal: minimize, primary: true } }
`,
  'wait.mjs': `export default ({ policy, load }, { seed }) => {
  if (policy === 'broken') throw new Error('connection refused')
  return { wait_ms: 20_000 * load * (policy === 'first' ? 2 : 1) + 900 * Math.sin(seed * 7 + load * policy.length) }
}
`,
}

it('run ends with the verdict of a grid of several factors, like compare and report', async () => {
  const cwd = folderWith(grid)
  const ran = await assay(['run', '--set', 'policy=first,shortest'], { cwd })
  const said = ran.stdout.trimEnd().split('\n').slice(-3)
  expect(said[0]).toMatch(
    /^shortest is faster on wait_ms than first by 1\d\.\d s \(95% CI .* s to .* s\), paired on 8 seeds\.$/,
  )
  expect(said.slice(1)).toEqual(['  assay compare results/queue', '  assay report results/queue'])
  const compared = await assay(['compare', 'results/queue'], { cwd })
  expect(`${compared.stdout.split('\n')[0]}`.replace(/\.?$/, '.')).toBe(said[0])
  expect((await assay(['report', 'results/queue'], { cwd })).stdout.split('\n')[0]).toBe(said[0])
  expect(ran.stdout).toMatch(/^\* shortest +0\.7 +8 +1\d\.\d+ ± 0\.\d+ s$/m)
})

it('run ends with the levels at which a difference holds', async () => {
  const wait = grid['wait.mjs'].replace("policy === 'first' ? 2 : 1", "policy === 'first' && load > 0.8 ? 2 : 1")
  const cwd = folderWith({ ...grid, 'wait.mjs': wait })
  const { stdout } = await assay(['run', '--set', 'policy=first,shortest'], { cwd })
  const said = stdout.trimEnd().split('\n').slice(-5)
  expect(said[0]).toMatch(/^shortest is faster on wait_ms than first by .* on average .*; it depends on load\.$/)
  expect(said[1]).toMatch(/^ {2}At load=0\.7: .*: inconclusive\.$/)
  expect(said[2]).toMatch(/^ {2}At load=0\.9: .*: better\.$/)
  expect(said.slice(3)).toEqual(['  assay compare results/queue', '  assay report results/queue'])
})

it('a variant whose runs all failed is in the table, with one line of failures and a logs command', async () => {
  const cwd = folderWith(grid)
  const ran = await assay(['run'], { cwd })
  expect(ran.status).toBe(1)
  expect(ran.stdout).toMatch(/^ {2}broken +0\.7 +0\/8 +failed$/m)
  const [line, ...more] = ran.stdout.split('\n').filter(text => text.startsWith('- '))
  expect(line).toMatch(/^- 16 runs: Error {2}connection refused {2}\(e\.g\. policy-broken_.*\)$/)
  expect(more).toEqual([])
  const run = /e\.g\. (.*)\)/.exec(line ?? '')?.[1] ?? ''
  expect(ran.stdout).toContain(`Output of one of them:\nassay logs results/queue ${run}\n`)
  expect((await assay(['logs', 'results/queue', run], { cwd })).stdout).toContain('connection refused')
})

it('reports a single variant, and nothing without measurements', async () => {
  const cwd = folderWith(grid)
  const one = await assay(['run', '--set', 'policy=first', '--set', 'load=0.7', '--exp-name', 'one'], { cwd })
  expect(one.stdout.trimEnd().split('\n').slice(-3)).toEqual([
    expect.stringMatching(/^wait_ms is 2\d\.\d s on average .* There is one variant: nothing to compare it with\.$/),
    '  assay variance results/one',
    '  assay report results/one',
  ])
  const none = await assay(['run', '--set', 'policy=broken', '--exp-name', 'none'], { cwd })
  expect(none.stdout).not.toContain('assay compare')
  writeFileSync(
    join(cwd, 'experiment.yaml'),
    "name: bare\ntarget: { kind: command, command: [node, -e, '1'] }\nseeds: 1..2\n",
  )
  expect((await assay(['run'], { cwd })).stdout).toMatch(/everything is in .*bare\n$/)
})
