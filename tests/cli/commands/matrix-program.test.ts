import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, folderWith, summaryOf } from '../../support/assay.ts'
import { simulator, smokeJson } from '../../support/matrix-json.ts'

const named = JSON.stringify({ ...JSON.parse(smokeJson), sim_binary: './build/agent_sched_sim' })
const file = 'repo/bench/experiments/smoke.json'

describe('the program that a file of the matrix runner names', () => {
  it.each(['.', 'repo/bench', 'repo/bench/experiments', 'elsewhere'])(
    'is found in the folders above the file, from %s',
    async at => {
      const root = folderWith({ [file]: named, 'repo/build/agent_sched_sim': simulator, 'elsewhere/x': '' })
      const ended = await assay(['run', join(root, file), '--json'], { cwd: join(root, at) })
      expect(ended.status, ended.stderr).toBe(0)
      expect(ended.stdout + ended.stderr).not.toContain("assay's own simulator")
      const run = 'bench_runs/smoke/runs/full__wf5__seed1__baseline__fcdc4023c8cf'
      // The number that this program writes, not a simulated one; it runs where Cascade would start it.
      expect(readFileSync(join(root, at, run, 'out/summary.csv'), 'utf8')).toContain('49809.8,49147.1,1,62344.4')
      expect(JSON.parse(readFileSync(join(root, at, run, 'meta.json'), 'utf8')).cwd).toBe(join(root, 'repo'))
    },
  )

  it('is not searched above the root of the repository', async () => {
    const root = folderWith({ [file]: named, 'build/agent_sched_sim': simulator, 'elsewhere/x': '' })
    mkdirSync(join(root, 'repo/.git'))
    const planned = await assay(['plan', join(root, file)], { cwd: join(root, 'elsewhere') })
    expect(planned.stdout).toContain("assay's own simulator runs instead")
  })

  it('is required if its folder exists: run refuses, plan does not, and the built-in one can be chosen by name', async () => {
    const cwd = join(folderWith({ [file]: named, 'repo/build/CMakeCache.txt': '' }), 'repo')
    const config = 'bench/experiments/smoke.json'
    const refused = await assay(['run', config], { cwd })
    expect(refused.status).toBe(2)
    expect(complaint(refused, { cwd })).toContain(
      'sim_binary: "./build/agent_sched_sim" was not found in <cwd>/bench/experiments',
    )
    expect(refused.stderr).toContain("--set 'sim_binary=assay sim'")

    const planned = JSON.parse((await assay(['plan', config, '--json'], { cwd })).stdout)
    expect(planned.planned).toBe(8)
    expect(planned.runs[0].command[0]).toBe(join(cwd, 'build/agent_sched_sim'))
    expect(planned.notes).toMatchObject([expect.stringContaining('program "./build/agent_sched_sim" was not found')])

    const chosen = await assay(['run', config, '--set', 'sim_binary=assay sim', '--json'], { cwd })
    expect(summaryOf(chosen)).toMatchObject({ planned: 8, completed: 8 })
    expect(chosen.stdout).not.toContain('runs instead')
  })

  it('of another platform is named as such', async () => {
    const cwd = folderWith({ 'smoke.json': named })
    mkdirSync(join(cwd, 'build'))
    const program = join(cwd, 'build/agent_sched_sim')
    writeFileSync(program, Buffer.concat([Buffer.from('cffaedfe0c000001', 'hex'), Buffer.alloc(4096)]))
    chmodSync(program, 0o755)
    const refused = await assay(['run', 'smoke.json'], { cwd })
    if (process.platform === 'darwin') return
    expect(refused.status).toBe(2)
    expect(complaint(refused, { cwd })).toContain(
      'sim_binary: program "./build/agent_sched_sim" is not executable here: Mach-O (macOS, arm64)',
    )
    expect((await assay(['plan', 'smoke.json'], { cwd })).status).toBe(0)
  })
})

it.each([
  ['a W&B sweep', 'sweep.yaml', 'program: train.py\nmethod: grid\nparameters: { a: { values: [1, 2] } }'],
  ['an experiment', 'sweep.yaml', 'name: e\ntarget: { kind: command, command: [./nowhere] }\nfactors: { a: [1, 2] }'],
  [
    'a name on the PATH',
    'sweep.yaml',
    'name: e\ntarget: { kind: command, command: [no-such-one] }\nfactors: { a: [1, 2] }',
  ],
])('%s can be planned, but not run, without its program', async (_, name, text) => {
  const cwd = folderWith({ [name]: text })
  const planned = await assay(['plan', name], { cwd })
  expect(planned.status, planned.stderr).toBe(0)
  expect(planned.stdout).toContain('planned_runs=2')
  expect(planned.stdout).toMatch(/program "[\w./-]+" was not found/)
  expect((await assay(['run', name, '--dry-run'], { cwd })).status).toBe(0)
  expect((await assay(['run', name], { cwd })).status).toBe(2)
})
