import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { needsBubblewrap } from '../targets/task/support.ts'

const examples = fileURLToPath(new URL('../../examples/', import.meta.url))

interface Run {
  readonly params: { readonly strategy: string }
  readonly block: { readonly task: string }
  readonly metrics: { readonly [name: string]: number }
  /** The agent's commands, in order. */
  readonly commands: readonly string[]
}

/** The study on some of its tasks, with other traits of its agents if they are given. */
async function study(options: {
  readonly tasks: string | readonly string[]
  readonly args: readonly string[]
  readonly traits?: object
}) {
  await needsBubblewrap()
  const cwd = folderWith()
  const folder = join(cwd, 'context-strategies')
  cpSync(join(examples, 'tasks'), join(cwd, 'tasks'), { recursive: true })
  for (const file of ['experiment.yaml', 'agents.yaml'])
    cpSync(join(examples, 'context-strategies', file), join(folder, file))
  change(join(folder, 'experiment.yaml'), written => ({ ...written, target: { kind: 'agent', tasks: options.tasks } }))
  if (options.traits !== undefined)
    change(join(folder, 'agents.yaml'), written =>
      Object.fromEntries(
        Object.entries(written).map(([name, model]) => [name, Object.assign({}, model, options.traits)]),
      ),
    )
  const ended = await assay(['run', '--json', ...options.args], { cwd: folder, env: { SANDBOX_BACKEND: 'bubblewrap' } })
  return { folder, ended, runs: globSync('results/*/runs/*', { cwd: folder }).map(run => runIn(join(folder, run))) }
}

function change(file: string, changed: (written: object) => object): void {
  writeFileSync(file, stringify(changed(parse(readFileSync(file, 'utf8'))), { aliasDuplicateObjects: true }))
}

function runIn(dir: string): Run {
  const { params, block, metrics } = JSON.parse(readFileSync(join(dir, 'meta.json'), 'utf8'))
  const trajectory = readFileSync(join(dir, 'trajectory.json'), 'utf8')
  const commands = [...trajectory.matchAll(/"command": ?("(?:[^"\\]|\\.)*")/g)].map(([, command = '']) => command)
  return { params, block, metrics, commands }
}

test('a careful agent with a long context solves every task if nothing is hidden', async () => {
  const { ended, runs } = await study({
    tasks: '../tasks',
    args: ['--filter', 'strategy=raw', '--filter', 'model=sim/senior'],
    traits: { agent: {}, context: 100_000 },
  })
  expect(summaryOf(ended), ended.stderr).toMatchObject({ planned: 12, completed: 12 })
  expect(runs.filter(({ metrics }) => metrics.passed !== 1).map(({ block }) => block.task)).toEqual([])
  for (const { metrics } of runs) expect(metrics.n_turns).toBeGreaterThan(30)
})

test('masking takes more turns, hits the cache less, and costs less, deterministically', async () => {
  const tasks = ['../tasks/cheapest-route', '../tasks/shell-pipeline']
  // Only hidden facts can cause mistakes.
  const traits = { agent: { guesses: 0.2, notes: 0.15 } }
  const { ended, runs, folder } = await study({
    tasks,
    args: ['--filter', "strategy in ['raw', 'observation_masking']", '--filter', 'model=sim/senior'],
    traits,
  })
  expect(summaryOf(ended), ended.stderr).toMatchObject({ planned: 4, completed: 4 })
  for (const task of tasks) {
    const of = (strategy: string): Run => {
      const found = runs.find(({ params, block }) => params.strategy === strategy && block.task === task)
      if (found === undefined) throw new Error(`no run of ${strategy} on ${task}`)
      return found
    }
    const [raw, masking] = [of('raw').metrics, of('observation_masking').metrics]
    expect(Number(masking.n_turns)).toBeGreaterThan(Number(raw.n_turns))
    expect(Number(masking.cache_hit_rate)).toBeLessThan(Number(raw.cache_hit_rate) / 2)
    expect(Number(masking.total_cost)).toBeLessThan(0.8 * Number(raw.total_cost))
  }
  const [repeated = ''] = tasks
  const masked = runs.filter(
    ({ params, block }) => params.strategy === 'observation_masking' && block.task === repeated,
  )
  const again = await study({
    tasks: [repeated],
    args: ['--filter', 'strategy=observation_masking', '--filter', 'model=sim/senior'],
    traits,
  })
  expect(again.runs.map(({ commands }) => commands)).toEqual(masked.map(({ commands }) => commands))
  expect(masked[0]?.commands.length).toBeGreaterThan(30)
  expect(folder).not.toBe(again.folder)
})
