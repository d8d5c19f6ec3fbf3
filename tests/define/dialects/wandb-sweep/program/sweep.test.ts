import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { number, text } from '../../../../../src/record/journal/columns.ts'
import { Journal } from '../../../../../src/record/journal/journal.ts'
import { journalFile } from '../../../../../src/record/places.ts'
import { assay, eventsOf, folderWith, summaryOf } from '../../../../support/assay.ts'
import { describeWithPython } from './python.ts'

const program = `import argparse, json, os, sys
import wandb
parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float)
parser.add_argument("--kind")
args, rest = parser.parse_known_args()
run = wandb.init(config=args)
assert run.config.rate == args.rate and run.config.kind == args.kind
wandb.define_metric("n_instances")
wandb.define_metric("score", step_metric="n_instances", summary="max")
for n in (5, 10, 15):
    wandb.log({"n_instances": n, "score": args.rate * n if n != 15 else 0, "other": 1})
print(json.dumps(rest), os.environ["WANDB_SWEEP_ID"], os.environ["WANDB_RUN_ID"] == run.id)
`
const sweep = `program: train.py
method: grid
metric: { name: score, goal: maximize }
parameters:
  rate: { values: [0.5, 1.0] }
  kind: { values: [a, b] }
`

describeWithPython('a W&B sweep, run by assay', () => {
  it('runs its program with arguments and configuration, and reads its log', async () => {
    const folder = folderWith({ 'sweep.yaml': sweep, 'train.py': program })
    const ended = await assay(['run', 'sweep.yaml', '--json'], { cwd: folder })
    expect(summaryOf(ended), ended.stderr).toMatchObject({ planned: 4, completed: 4 })
    const journal = Journal.openExisting(journalFile(join(folder, 'results/sweep')))
    try {
      const values = journal.all(
        { name: text, value: number },
        `SELECT r.name, m.value FROM runs r JOIN metrics m ON m.attempt_id = r.attempt_id WHERE m.name = 'score' ORDER BY r.id`,
      )
      expect(values.map(({ value }) => value)).toEqual([5, 10, 5, 10])
      const series = journal.all(
        { steps: text, points: text },
        `SELECT steps, points FROM series WHERE name = 'score' ORDER BY attempt_id LIMIT 1`,
      )
      expect(series).toEqual([{ steps: '[5,10,15]', points: '[2.5,5,0]' }])
    } finally {
      journal.close()
    }
    const [first = ''] = globSync('results/sweep/runs/kind-a_rate-0.5*/stdout.txt', { cwd: folder })
    expect(readFileSync(join(folder, first), 'utf8')).toBe('[] sweep True\n')
  })

  it('reports after the first run if the metric is never logged', async () => {
    const folder = folderWith({ 'sweep.yaml': sweep.replace('name: score', 'name: scroe'), 'train.py': program })
    const events = eventsOf(await assay(['run', 'sweep.yaml', '--json'], { cwd: folder }))
    const kinds = events.filter(({ kind }) => kind === 'attempt_ended' || kind === 'notice')
    expect(kinds.map(({ kind }) => kind).slice(0, 2)).toEqual(['attempt_ended', 'notice'])
    expect(kinds[1]?.message).toContain('the search uses "scroe"')
    expect(kinds[1]?.message).toContain('did you mean "score"?')
  })

  it('passes variables to the program only', async () => {
    const command = 'command: [python3, "${program}", "${args}", "--key=${envvar:SECRET_KEY}"]\n'
    const folder = folderWith({ 'sweep.yaml': sweep + command, 'train.py': program })
    const place = { cwd: folder, env: { SECRET_KEY: 'hush-hush' } }
    const ended = await assay(['run', 'sweep.yaml', '-v'], place)
    expect(ended.status, ended.stderr).toBe(0)
    const plan = await assay(['plan', 'sweep.yaml', '--all', '--json'], place)
    expect(plan.stdout).toContain('--key=${envvar:SECRET_KEY}')
    const files = globSync('results/**/*', { cwd: folder, withFileTypes: true }).filter(file => file.isFile())
    const telling = files.filter(file => readFileSync(join(file.parentPath, file.name)).includes('hush-hush'))
    expect(new Set(telling.map(({ name }) => name))).toEqual(new Set(['stdout.txt']))
    expect(ended.stdout + ended.stderr + plan.stdout).not.toContain('hush-hush')
  })

  it('works for any command on request', async () => {
    const native = `name: asked
target: { kind: command, command: ["\${interpreter}", "\${program}", --rate, "{rate}", --kind=a, "\${args_json_file}"], program: train.py, wandb: shim }
params: { kind: a }
factors: { rate: [1, 2] }
metrics: { score: { goal: maximize } }
`
    const folder = folderWith({ 'experiment.yaml': native, 'train.py': program })
    const ended = await assay(['run', '--json'], { cwd: folder })
    expect(summaryOf(ended), ended.stderr).toMatchObject({ completed: 2 })
    const [file = ''] = globSync('results/asked/runs/rate-2*/args.json', { cwd: folder })
    expect(JSON.parse(readFileSync(join(folder, file), 'utf8'))).toEqual({ kind: 'a', rate: 2 })
    const without = await assay(['run', '--json', '--set', 'target.wandb=off', '--exp-name', 'off'], { cwd: folder })
    expect(summaryOf(without)).toMatchObject({ failed: 2 })
  })

  it('a retried run finds its file again', async () => {
    const failing =
      'import json, os, sys\nprint(json.load(open(sys.argv[1])))\nsys.exit(0 if os.path.exists("ok") else 1)\n'
    const yaml =
      'program: fails.py\nmethod: grid\nparameters: { a: { values: [1] } }\ncommand: ["${interpreter}", "${program}", "${args_json_file}"]\n'
    const folder = folderWith({ 'sweep.yaml': yaml, 'fails.py': failing })
    expect((await assay(['run', 'sweep.yaml'], { cwd: folder })).status).toBe(1)
    writeFileSync(join(folder, 'ok'), '')
    const again = await assay(['run', 'sweep.yaml', '--retry-failed'], { cwd: folder })
    expect(again.status, again.stdout).toBe(0)
    const [kept = ''] = globSync('results/sweep/runs/*/attempts/1/args.json', { cwd: folder })
    expect(JSON.parse(readFileSync(join(folder, kept), 'utf8'))).toEqual({ a: 1 })
  })
})
