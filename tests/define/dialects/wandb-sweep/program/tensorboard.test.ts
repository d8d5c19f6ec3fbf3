import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { head, simple } from '../../../../perform/metric-sources/event-file.ts'
import { assay, folderWith, summaryOf } from '../../../../support/assay.ts'
import { journalRows } from '../../../../support/journal.ts'
import { describeWithPython, python } from './python.ts'

/** A writer such as those of PyTorch and tensorboardX: a file that is opened in Python. */
const writer = (folder: string) => `import os
os.makedirs("${folder}", exist_ok=True)
open("${folder}/events.out.tfevents.1.host", "wb").write(open("events", "rb").read())
`

describeWithPython('sync_tensorboard', () => {
  test('uses the numbers of event files as metrics of the sweep', async () => {
    const cwd = folderWith({
      'train.py': `import wandb\nwandb.init(sync_tensorboard=True)\n${writer('logs/run')}`,
      'sweep.yaml': `program: train.py
method: grid
metric: { name: val_loss, goal: minimize }
parameters: { lr: { values: [0.1, 0.2] } }`,
    })
    writeFileSync(
      join(cwd, 'events'),
      Buffer.concat([head(), simple(1, 'val_loss', 2), simple(2, 'val_loss', 0.5), simple(2, 'acc', 1)]),
    )
    const ended = await assay(['run', 'sweep.yaml', '--json'], { cwd })
    expect(summaryOf(ended), ended.stdout).toMatchObject({ completed: 2 })
    expect(
      journalRows(join(cwd, 'results/sweep'), 'SELECT DISTINCT name, value, problem FROM metrics ORDER BY name'),
    ).toEqual([
      { name: 'acc', value: 1, problem: null },
      { name: 'val_loss', value: 0.5, problem: null },
    ])
    const best = JSON.parse((await assay(['sweep', 'best', 'results/sweep', '--json'], { cwd })).stdout)
    expect(best).toMatchObject({ metric: 'val_loss', value: 0.5 })
  })

  test('separates folders, includes files written after the end of the run, and ignores other files', () => {
    const { status, stderr, folder } = python(
      `import wandb
open("events", "wb").write(b"x")
run = wandb.init()
wandb.tensorboard.patch(root_logdir="logs")
${writer('logs/train')}${writer('logs/val')}
open("logs/train/events.out.tfevents.1.host", "rb").read()
run.finish()
open("logs/val/events.out.tfevents.1.host", "ab").write(b"y")
`,
      {},
      { files: { 'old/events.out.tfevents.0.other': 'old' } },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const kept = join(folder, 'out/tensorboard')
    expect(readdirSync(kept)).toEqual(['train', 'val'])
    expect(readFileSync(join(kept, 'val/events.out.tfevents.1.host'), 'utf8')).toBe('xy')
  })

  test('finds files named in bytes, as in TensorBoard and PyTorch, in any folder', () => {
    const elsewhere = folderWith()
    const { stderr, folder } = python(`import wandb
wandb.init(sync_tensorboard=True)
for name in (b"first", b"second"):
  with open(b"${elsewhere}/events.out.tfevents.1.host." + name, "ab") as file: file.write(name)
with open("${elsewhere}/events.out.tfevents.2.host", "wb") as file: file.write(b"text")
`)
    expect(stderr).toBe('')
    expect(readdirSync(join(folder, 'out/tensorboard')).toSorted()).toEqual([
      'events.out.tfevents.1.host.first',
      'events.out.tfevents.1.host.second',
      'events.out.tfevents.2.host',
    ])
  })

  test('reports missing records, and does nothing unless requested', () => {
    expect(python('import wandb\nwandb.init(sync_tensorboard=True)\n').stderr).toBe(
      'assay wandb: sync_tensorboard: this process wrote no event files, so nothing of TensorBoard is recorded\n',
    )
    const { stderr, folder } = python(`import wandb\nopen("events", "wb")\nwandb.init()\n${writer('logs')}`)
    expect(stderr).toBe('')
    expect(readdirSync(join(folder, 'out'))).toEqual([])
  })
})

describeWithPython('other parts that programs use', () => {
  test('alerts, settings, tables, ids, locked configuration and keys that are not text', () => {
    const { status, stdout, stderr, lines, folder } = python(`import wandb
from wandb import AlertLevel
from wandb.sdk.lib.runid import generate_id
run = wandb.init(config={1: "a", "b": {2: 3}}, settings=wandb.Settings(silent="true", start_method="thread"))
wandb.alert("t", "x", level=AlertLevel.WARN, wait_duration=300)
print(run.settings.mode, run.settings.run_id, run.settings.start_method, run.settings.no_such_setting, run.settings.sync_dir == run.dir)
print(wandb.config[1], wandb.config.get(1), 1 in wandb.config, wandb.config["b"][2])
wandb.config.update_locked({"locked": 5}, "sweep")
wandb.config.update({"locked": 6}, allow_val_change=True)
print(wandb.config.locked)
table = wandb.Table(columns=["a", "b"], data=[[1, 2], [3, 4]])
table.add_computed_columns(lambda number, row: {"sum": row["a"] + row["b"]})
table.cast("a", float)
print(table.columns, table.data, table.get_index())
print(len(wandb.util.generate_id()), len(wandb.util.generate_id(4)), len(generate_id()))
wandb.log({1: 2.0, ("x", 1): 3})
run.summary[("p", "q")] = 1
print(wandb.SomeEnum.VALUE is not None)
run.log_code(".")
`)
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `offline the-run thread None True
a a True 3
5
['a', 'b', 'sum'] [[1, 2, 3], [3, 4, 7]] [0, 1]
8 4 8
True
`,
    })
    expect(stderr.split('\n')).toEqual([
      'assay wandb: alert (WARN): t x',
      "assay wandb: config item 'locked' was chosen by the sweep: it stays 5",
      'assay wandb: wandb.SomeEnum does nothing here',
      'assay wandb: log_code does nothing here: nothing is sent to W&B or kept by it',
      '',
    ])
    expect(lines[0]).toEqual({ '1': 2, "('x', 1)": 3, step: 0 })
    expect(JSON.parse(readFileSync(join(folder, 'out/wandb-summary.json'), 'utf8'))).toMatchObject({ "('p', 'q')": 1 })
  })

  test('a table converts to and from a data frame if pandas is installed', () => {
    const program = `import wandb, pandas
print(wandb.Table(columns=["a", "b"], data=[[1, 2]]).get_dataframe())
table = wandb.Table(data=pandas.DataFrame())
print(table.columns, table.data)
`
    const pandas = `class Values:
  def tolist(self): return [[1]]
class DataFrame:
  columns, values = ["x"], Values()
  @staticmethod
  def from_records(data, columns): return (data, columns)
`
    const { stdout } = python(program, {}, { path: 'lib', files: { 'lib/pandas.py': pandas } })
    expect(stdout).toBe("([[1, 2]], ['a', 'b'])\n['x'] [[1]]\n")
  })
})
