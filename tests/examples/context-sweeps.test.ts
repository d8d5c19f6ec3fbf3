import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'
import { needsBubblewrap } from '../targets/task/support.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))
const offline = ['--instances', '../tasks', '--models', 'sweeps/simulated.yaml']

/** Six tasks that are quickly set up. */
const smallTasks = Object.fromEntries(
  Array.from({ length: 6 }, (_, index) => `tasks/fix-${index}`).flatMap(folder => [
    [`${folder}/task.toml`, 'version = "1.0"\n'],
    [`${folder}/instruction.md`, 'Look at all files.\n'],
    [`${folder}/environment/Dockerfile`, 'FROM scratch\nWORKDIR /app\n'],
    [`${folder}/tests/test.sh`, '#!/bin/sh\nmkdir -p /logs/verifier; echo 1 > /logs/verifier/reward.txt\n'],
  ]),
)

/** A copy of the examples; `changes` are made in the file of one sweep. */
function sweeps(name: string, changes: readonly (readonly [string, string])[]): string {
  const cwd = folderWith(smallTasks)
  cpSync(join(examples, 'context-strategies'), join(cwd, 'context-strategies'), { recursive: true })
  const folder = join(cwd, 'context-strategies')
  const file = join(folder, `sweeps/${name}.yaml`)
  const text = changes.reduce((before, [old, now]) => before.replace(old, now), readFileSync(file, 'utf8'))
  writeFileSync(file, text)
  return folder
}

const subset = 'instances-subset: { value: verified-mini }\n'
const sliced = (slice: string) => [subset, `${subset}  instances-slice: { value: "${slice}" }\n`] as const

describe('the sweeps over context strategies', () => {
  // Written and distinct combinations: parameters that a strategy ignores are absent.
  it.each([
    ['quick_test', 84, 3],
    ['bedrock_repro', 4, 12],
    ['bedrock_hparams', 27, 12],
    ['hparams_obs_masking', 18, 12],
    ['hparams_llm_summary', 1296, 12],
    ['hparams_hybrid', 3888, 12],
    ['models_mini', 5208, 12],
    ['models_verified_20', 5208, 12],
  ])('%s has %i variants on %i instances', async (name, variants, instances) => {
    const ended = await assay(['plan', `sweeps/${name}.yaml`, ...offline, '--show', '0'], {
      cwd: join(examples, 'context-strategies'),
    })
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toContain(`planned_runs=${variants * instances} `)
    expect(ended.stdout).toContain(`${variants} variants × ${instances} tasks`)
    expect(ended.stdout).toContain('scripts/run_sweep.py is not here: the built-in agent does its work')
  })

  it('runs --count variants, each on all its instances, and continues from there', async () => {
    await needsBubblewrap()
    const cwd = sweeps('hparams_obs_masking', [sliced(':2')])
    const created = await assay(['sweep', 'sweeps/hparams_obs_masking.yaml', '--project', 'test', ...offline], { cwd })
    const id = /sweep ([0-9a-f]{8})/.exec(created.stdout)?.[1] ?? created.stderr
    const one = await assay(['agent', `me/test/${id}`, '--count', '1'], { cwd })
    expect(one.stderr + one.stdout).toContain('made 1 trial (--count)')
    await assay(['agent', id, '--count', '2'], { cwd })
    const dir = join(cwd, 'sweeps/results/hparams_obs_masking')
    const trials = journalRows<{ n: number; completed: number }>(
      dir,
      `SELECT count(*) AS n, sum(outcome = 'completed') AS completed FROM runs WHERE attempts > 0 GROUP BY trial`,
    )
    expect(trials).toEqual(Array.from({ length: 3 }, () => ({ n: 2, completed: 2 })))
    const folders = readdirSync(join(dir, 'trials'))
    expect(folders).toHaveLength(3)
    for (const folder of folders) {
      expect(folder).toMatch(/^[\w.-]+_observation_masking__[0-9a-f]{8}$/)
      expect(
        readFileSync(join(dir, 'trials', folder, 'instances.csv'), 'utf8')
          .trim()
          .split('\n'),
      ).toHaveLength(3)
      const preds = JSON.parse(readFileSync(join(dir, 'trials', folder, 'preds.json'), 'utf8'))
      expect(Object.keys(preds)).toEqual(['fix-0', 'fix-1'])
      expect(preds['fix-0'].model_name_or_path).toBe(folder)
    }
    const best = await assay(['sweep', 'best', id, '--json'], { cwd })
    expect(JSON.parse(best.stdout)).toMatchObject({ kind: 'best', metric: 'submitted' })
  })

  it('stops a variant with fewer submissions, and never runs its other instances', async () => {
    await needsBubblewrap()
    const cwd = sweeps('models_mini', [
      sliced(':6'),
      ['method: bayes', 'method: grid'],
      ['eta: 2', 'eta: 3'],
      [
        /model: .*/.exec(readFileSync(join(examples, 'context-strategies/sweeps/models_mini.yaml'), 'utf8'))?.[0] ?? '',
        'model: { values: [deepseek-chat, gpt-4o-mini] }',
      ],
      ['strategy: { values: [raw, observation_masking, llm_summary, hybrid] }', 'strategy: { value: raw }'],
    ])
    // Always, not in one of three tasks, so that the test is deterministic.
    const simulated = join(cwd, 'sweeps/simulated.yaml')
    writeFileSync(simulated, readFileSync(simulated, 'utf8').replace('chance: 0.35', 'chance: 1'))
    const ended = await assay(['run', 'sweeps/models_mini.yaml', ...offline, '--json'], { cwd })
    const { completed, stopped_early, planned } = summaryOf(ended)
    expect(planned, ended.stderr).toBe(12)
    // Six instances of one model, and three of the other.
    expect([completed, stopped_early], ended.stdout).toEqual([9, 3])
  })
})
