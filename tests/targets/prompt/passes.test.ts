import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { promptExperiment, sim } from './support.ts'

const experiment = (more = '') => `
target:
  kind: prompt
  prompts: { short: "Capital of {{country}}?", long: "Please name the capital of {{country}}." }
  models: [sim/m]
  tests: cases.csv
  assert: [{ type: icontains, value: "{{capital}}", metric: named }, { type: not-contains, value: no }]
${more}
${sim('[{ contains: France, answer: Paris }, { contains: [Please, Peru], answer: "It is Lima." }, { answer: no idea }]')}
`
const cases = { 'cases.csv': 'country,capital\nFrance,Paris\nPeru,Lima\n' }

describe('pass or fail', () => {
  it('run counts passes, and exits by the required share', async () => {
    const e = promptExperiment(experiment(), cases)
    const run = async (...args: string[]) => {
      const { status, stdout } = await e.say(['run', ...args])
      return [status, /passed: .*/.exec(stdout)?.[0]]
    }
    expect(await run()).toEqual([0, 'passed: 3 of 4 (75%)'])
    expect(await run('--require', 'pass=75%')).toEqual([0, 'passed: 3 of 4 (75%), required 75%: reached'])
    expect(await run('--require', 'pass=0.9')).toEqual([1, 'passed: 3 of 4 (75%), required 90%: not reached'])
    // An earlier requirement does not apply again.
    expect(await run()).toEqual([0, 'passed: 3 of 4 (75%)'])
    expect((await e.run('--require', 'pass=95%')).summary).toMatchObject({
      exit_code: 1,
      completed: 4,
      pass: { passed: 3, judged: 4, required: 0.95 },
    })
  })

  it('the file can require it too; --require overrides it', async () => {
    const e = promptExperiment(experiment('analysis: { require: { pass: 95% } }'), cases)
    expect((await e.run()).status).toBe(1)
    expect((await e.run('--require', 'pass=50%')).status).toBe(0)
    expect((await e.run()).status).toBe(1)
    expect((await e.say(['run', e.dir])).status).toBe(1)
  })

  it('an invalid share, or runs without pass or fail, are errors', async () => {
    const e = promptExperiment(experiment(), cases)
    for (const wrong of ['pass=120%', 'pass=', 'better', 'most'])
      expect(await e.say(['run', '--require', wrong])).toMatchObject({ status: 2 })
    const silent = promptExperiment(
      `target: { kind: prompt, prompts: { p: hi }, models: [sim/m] }\n${sim('[{ answer: hi }]')}`,
    )
    const ended = await silent.say(['run', '--require', 'pass=1%'])
    expect(ended.status).toBe(1)
    expect(ended.stdout).toContain('no run says whether it passed')
    expect((await e.say(['compare', 'x', '--require', 'pass=95%'])).stderr).toContain(
      '--require pass=… is for `assay run`',
    )
  })

  it('JUnit has a failure for each assert that does not hold, with its reason', async () => {
    const e = promptExperiment(experiment(), cases)
    await e.run()
    const { stdout } = await e.say(['report', e.dir, '--format', 'junit', '--output', '-'])
    expect(stdout).toMatch(/<testsuites name="e" tests="4" failures="1" errors="0" skipped="0">/)
    expect(stdout).toContain('<failure type="icontains" message="does not contain &quot;Lima&quot;"/>')
    expect(stdout).toContain('<failure type="not-contains" message="contains &quot;no&quot;"/>')
    expect(stdout.match(/<failure /g)).toHaveLength(2)
  })

  it('analyze counts passes', async () => {
    const e = promptExperiment(experiment(), cases)
    await e.run()
    const { stdout } = await e.say(['analyze', e.dir, '--json'])
    expect(JSON.parse(stdout).patterns).toMatchObject({
      successful_runs: 3,
      failed_runs: 1,
      success_definition: 'passed is 1',
    })
    const completed = await e.say(['analyze', e.dir, '--json', '--success', "outcome == 'completed'"])
    expect(JSON.parse(completed.stdout).patterns).toMatchObject({ successful_runs: 4 })
  })

  it('a comment for a pull request has a few lines: verdict, flips, reasons', async () => {
    const e = promptExperiment(experiment('analysis: { require: { pass: 95% } }'), cases)
    await e.run()
    const { stdout } = await e.say(['report', e.dir, '--format', 'comment', '--output', '-'])
    const lines = stdout.split('\n').filter(Boolean)
    expect(lines[0]).toBe('### e: ❌ 3 of 4 passed (75%), required 95%')
    expect(lines).toContain('| prompt=short | 1 of 2 (50%) |  |')
    expect(lines).toContain('| prompt=long | 2 of 2 (100%) | +1 −0 |')
    expect(lines).toContain(
      '| peru | prompt=long | fail → pass | icontains: does not contain "Lima"; not-contains: contains "no" |',
    )
    expect(lines.length).toBeLessThan(14)
    await e.say(['report', e.dir, '--format', 'comment'])
    expect(readFileSync(join(e.dir, 'report/comment.md'), 'utf8')).toBe(stdout)
  })

  it('a run without content in its trace names the failed assert, not the answer', async () => {
    const e = promptExperiment(experiment(), cases)
    await e.run('--no-trace-content')
    const { stdout } = await e.say(['report', e.dir, '--format', 'junit', '--output', '-'])
    expect(stdout).toContain('<failure type="icontains" message="icontains"/>')
    expect(stdout).not.toContain('Lima')
  })
})

it('shows scores with custom names: of asserts, of single cases, of functions', async () => {
  const e = promptExperiment(`
target:
  kind: prompt
  prompts: { p: "Say {{q}}" }
  models: [sim/echo]
  tests: [{ vars: { q: a }, assert: [{ type: contains, value: a, metric: "of-{{q}}" }] }, { vars: { q: b } }]
  assert:
    - { type: contains, value: Say, metric: says }
    - { type: javascript, value: "({ pass: true, score: 1, namedScores: { tone: output.length / 10 } })" }
`)
  const { stdout, stderr } = await e.say(['run'])
  expect(stdout).toMatch(/n +score +passed +says +cost_usd +latency_s +of-a +tone/)
  expect(stderr).not.toContain('lack')
  expect(e.metrics().map(({ says, tone, 'of-a': own }) => [says, tone, own])).toEqual([
    [1, 0.5, 1],
    [1, 0.5, undefined],
  ])
})

it('earlier experiments keep their runs: keys and fingerprints are unchanged', async () => {
  const e = promptExperiment(`
target:
  kind: prompt
  prompts: { short: "Capital of {{country}}?", turns: [{ role: system, content: Be brief }, { role: user, content: "{{country}}?" }] }
  models: [sim/m]
  judge: sim/j
  tests:
    - { vars: { country: France, tags: { a: [x] } }, assert: [{ type: equals, value: Paris }], threshold: 0.5 }
    - { id: peru, vars: { country: Peru } }
  defaultTest: { vars: { tone: dry }, assert: [{ type: llm-rubric, value: "is {{tone}}" }] }
  temperature: 0.5
models: { sim/m: { price: free }, sim/j: { price: free, rules: [{ json: { reason: ok, score: 1, passed: true } }] } }
`)
  await e.run()
  expect(e.fingerprints()).toEqual([
    ['2b44673bd182193c37cda829201bc3fe', 'b4e46d79fc0648bd6632980eabf87df7'],
    ['745f4ec8012052b9d5effcd1c8413e24', 'b4e46d79fc0648bd6632980eabf87df7'],
    ['85cd8abf090d20c8ab93b623a3b9903d', 'b4e46d79fc0648bd6632980eabf87df7'],
    ['8b2ca29795f60b378b340cade7cd5e24', 'b4e46d79fc0648bd6632980eabf87df7'],
  ])
})
