import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, startAssay } from '../../../support/assay.ts'

const definition = `
name: e
target: { kind: command, command: [sh, -c, 'exit {x}'] }
factors: { x: [0, 1] }
seeds: [1, 2]
limits: { jobs: 1 }
`

describe('assay plan', () => {
  it('shows counts, and the exact command of every run', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    const { status, stdout } = await assay(['plan', '--order', 'listed'], { cwd })
    expect(status).toBe(0)
    expect(stdout.replaceAll(cwd, '<cwd>')).toMatchInlineSnapshot(`
      "experiment: <cwd>/results/e
      planned_runs=4 to_run=4 skipped=0 jobs=1
      2 variants × 2 seeds, listed order
      - x-0_seed-1__a7b12580763a
        run_dir=<cwd>/results/e/runs/x-0_seed-1__a7b12580763a
        cmd=sh -c 'exit 0'
      - x-0_seed-2__b574b3321e25
        run_dir=<cwd>/results/e/runs/x-0_seed-2__b574b3321e25
        cmd=sh -c 'exit 0'
      - x-1_seed-1__8bd9f8c2e238
        run_dir=<cwd>/results/e/runs/x-1_seed-1__8bd9f8c2e238
        cmd=sh -c 'exit 1'
      - x-1_seed-2__67c43d06a327
        run_dir=<cwd>/results/e/runs/x-1_seed-2__67c43d06a327
        cmd=sh -c 'exit 1'
      "
    `)
  })

  it('reports entries without effect and their place, as run does', async () => {
    const idle = `${definition}exclude: [{ x: 7 }]\nablations: [{ name: same, set: { x: 0 } }, { name: off, set: { xx: 1 } }]\n`
    const cwd = folderWith({ 'experiment.yaml': idle })
    const notes = [
      'experiment.yaml:7:16  exclude.0.x: removes nothing: "x" is never 7, only 0 or 1',
      'experiment.yaml:8:68  ablations.1.set.xx: nothing else has a parameter "xx"; did you mean "x"?',
    ]
    const planned = await assay(['plan'], { cwd })
    expect(planned.stdout.split('\n').filter(line => line.startsWith('experiment.yaml'))).toEqual(notes)
    const { notes: inJson } = JSON.parse((await assay(['plan', '--json'], { cwd })).stdout)
    expect(inJson).toEqual(notes)
    const { stdout } = await assay(['run', '--first', '1', '--json'], { cwd })
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(events.filter(({ kind }) => kind === 'notice').map(({ message }) => message)).toEqual(notes)
  })

  it('lists what run will refuse, and still plans', async () => {
    const prompts = (model: string) => `
name: e
target: { kind: prompt, prompts: { p: 'Say {{word}}' }, models: [${model}], tests: [{ vars: { word: a } }] }
`
    const cwd = folderWith({ 'experiment.yaml': prompts('gpt-99-nonsense') })
    const refused = await assay(['run'], { cwd })
    expect(refused.status).toBe(2)
    const [, reason = ''] = /^error: (.*)$/m.exec(refused.stderr) ?? []
    expect(reason).toContain('gpt-99-nonsense: no preset, price table or setting knows it')
    const { status, stdout } = await assay(['plan'], { cwd })
    expect(status).toBe(2)
    expect(stdout).toContain('planned_runs=1 to_run=1')
    expect(stdout.split('\n')).toContain(`\`run\` will stop: ${reason}`)
    const inJson = await assay(['plan', '--json'], { cwd })
    expect(JSON.parse(inJson.stdout).notes).toEqual([`\`run\` will stop: ${reason}`])
    expect(inJson.status).toBe(2)
    const known = await assay(['plan'], { cwd: folderWith({ 'experiment.yaml': prompts('sim/echo') }) })
    expect(known.stdout).not.toContain('will stop')
    expect(known.status).toBe(0)
  })

  it('does not fail where only this machine lacks something, such as a key', async () => {
    const file = `
name: e
target: { kind: prompt, prompts: { p: 'Say {{word}}' }, models: [gpt-4o-mini], tests: [{ vars: { word: a } }] }
`
    const { status, stdout } = await assay(['plan'], {
      cwd: folderWith({ 'experiment.yaml': file }),
      env: { OPENAI_API_KEY: '' },
    })
    expect(stdout).toContain(
      '`run` will stop: experiment.yaml:3:65  target.models: gpt-4o-mini: OPENAI_API_KEY is not set',
    )
    expect(status).toBe(0)
  })

  it('exits with 2 if no machine could enforce the budget', async () => {
    const file = `
name: e
target: { kind: prompt, prompts: { p: 'Say {{word}}' }, models: [mine], tests: [{ vars: { word: a } }] }
models: { mine: { provider: openai-compatible, address: "http://127.0.0.1:9/v1" } }
limits: { budget_usd: 1 }
`
    const { status, stdout } = await assay(['plan'], { cwd: folderWith({ 'experiment.yaml': file }) })
    expect(stdout).toContain("the price of mine is unknown, so budget_usd: 1 can't be enforced")
    expect(status).toBe(2)
  })

  it('shows reused and remaining runs, with reasons', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    await assay(['run', '-q', '--filter', 'seed=1'], { cwd })
    const { stdout } = await assay(['plan', '--order', 'listed'], { cwd })
    expect(stdout.replaceAll(cwd, '<cwd>')).toMatchInlineSnapshot(`
      "experiment: <cwd>/results/e
      planned_runs=4 to_run=2 skipped=2 jobs=1
      2 variants × 2 seeds, listed order
      1 completed run is reused
      1 run is not run: it failed; --retry-failed runs it again
      - x-0_seed-2__b574b3321e25
        run_dir=<cwd>/results/e/runs/x-0_seed-2__b574b3321e25
        cmd=sh -c 'exit 0'
      - x-1_seed-2__67c43d06a327
        run_dir=<cwd>/results/e/runs/x-1_seed-2__67c43d06a327
        cmd=sh -c 'exit 1'
      "
    `)
    const retry = await assay(['plan', '--retry-failed', '--filter', 'x=1', '--filter', 'seed=1'], { cwd })
    expect(retry.stdout).toContain('(it failed (--retry-failed))')
  })

  it('--json is one document', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    await assay(['run', '-q', '--filter', 'x=0', '--filter', 'seed=1'], { cwd })
    const plan = JSON.parse((await assay(['plan', '--json', '--order', 'listed'], { cwd })).stdout)
    expect(plan).toMatchObject({ name: 'e', planned: 4, variants: 2 })
    expect(plan.runs).toHaveLength(4)
    expect(plan.runs[0]).toMatchObject({
      id: expect.stringMatching(/^x-0_seed-1__[0-9a-f]{12}$/),
      params: { x: 0 },
      seed: 1,
      block: { seed: 1 },
      replicate: 1,
      command: ['sh', '-c', 'exit 0'],
      action: 'reuse',
      why: 'it is completed',
    })
    expect(plan.runs[1]).toMatchObject({ action: 'run', why: 'it has not been run yet' })
  })

  it('prints the same as run -n', async () => {
    const cwd = folderWith({ 'experiment.yaml': definition })
    const lines = [['plan'], ['run', '-n'], ['run', '--dry-run'], ['-n']]
    const said = new Set<string>()
    for (const line of lines) said.add((await assay(line, { cwd })).stdout)
    expect(said.size).toBe(1)
  })

  it('counts too many runs to walk, and shows the first', async () => {
    const cwd = folderWith({
      'huge.yaml': `name: huge
target: { kind: command, command: ["true"] }
blocks: { a: 1..1000, b: 1..1000, c: 1..1000, d: 1..1000, seed: 1..1000 }
`,
    })
    const { status, stdout } = await assay(['plan', 'huge.yaml', '--show', '2'], { cwd })
    expect(status).toBe(0)
    expect(stdout).toContain('planned_runs=1000000000000000 to_run=1000000000000000')
    expect(stdout).toContain('only its first 10000 runs were examined')
    expect(stdout).toContain('and 999999999999998 more\n')
  })

  it.each(['--filter=a == 7', '--shard=1/1000'])('warns at once if it has too many runs to walk: %s', async option => {
    const cwd = folderWith({
      'huge.yaml': `name: huge
target: { kind: command, command: ["true"] }
blocks: { a: 1..1000, b: 1..1000, c: 1..1000, d: 1..1000, seed: 1..1000 }
`,
    })
    const going = startAssay(['plan', 'huge.yaml', option], { cwd })
    let told = ''
    going.child.stderr?.on('data', text => {
      told += text
    })
    await expect.poll(() => told).toContain('looks at each of 1000000000000000 runs, which takes long')
  })

  it('streams a million runs', async () => {
    const cwd = folderWith({
      'experiment.yaml': `
name: million
target: { kind: command, command: ["true"] }
factors: { a: 1..100, b: 1..100 }
seeds: 1..100
`,
    })
    const program = fileURLToPath(new URL('../../../../bin/assay.mjs', import.meta.url))
    const child = spawn(process.execPath, [program, 'plan', '--json'], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    const closed = once(child, 'close')
    let first = ''
    // Leaving the loop closes the output.
    for await (const chunk of child.stdout) {
      first += chunk
      if (first.includes('{"id"')) break
    }
    expect(first).toMatch(/^\{"name":"million","dir":"[^"]+","planned":1000000,"variants":10000,"runs":\[\n\{"id"/)
    const [status, signal] = await closed
    expect({ status, signal }).toEqual({ status: 0, signal: null })
  })
})
