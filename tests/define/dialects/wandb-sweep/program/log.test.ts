import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeWithPython, python } from './python.ts'

/** The reports of these program lines. */
const reported = (...lines: readonly string[]) => {
  const { lines: found, status, stderr } = python(`import wandb\nrun = wandb.init()\n${lines.join('\n')}\n`)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return found
}

describeWithPython('wandb.log', () => {
  test('is a row of numbers at the next step', () => {
    expect(reported('wandb.log({"loss": 0.5, "n": 3})', 'run.log({"loss": 0.25, "ok": True})')).toEqual([
      { loss: 0.5, n: 3, step: 0 },
      { loss: 0.25, ok: true, step: 1 },
    ])
  })

  test('maps become names with dots; text, lists and None are not numbers', () => {
    expect(reported('wandb.log({"a": {"b": 1, "c": {"d": 2}}, "text": "x", "list": [1], "none": None})')).toEqual([
      { 'a.b': 1, 'a.c.d': 2, step: 0 },
    ])
  })

  test('a row is complete on commit, or when a later step begins', () => {
    expect(
      reported(
        'wandb.log({"a": 1}, commit=False)',
        'wandb.log({"b": 2})',
        'wandb.log({"a": 3}, step=10)',
        'wandb.log({"a": 4, "b": 5}, step=10)',
        'wandb.log({"a": 6}, step=20, commit=True)',
        'print(run.step)',
      ),
    ).toEqual([
      { a: 1, b: 2, step: 0 },
      { a: 4, b: 5, step: 10 },
      { a: 6, step: 20 },
    ])
  })

  test('a step in the past is left out, with one notice', () => {
    const { lines, stderr } = python(
      'import wandb\nwandb.init()\nfor step in (5, 3, 2, 6): wandb.log({"a": step}, step=step)\n',
    )
    expect(lines.map(({ a }) => a)).toEqual([5, 6])
    expect(stderr).toBe('assay wandb: step 3 is before step 5, which is written already: it is left out\n')
  })

  test('accepts numbers of numpy and torch', () => {
    const things = [
      'class Scalar:',
      '  size = 1',
      '  def item(self): return 0.5',
      'class Tensor:',
      '  def numel(self): return 1',
      '  def size(self): return ()',
      '  def item(self): return 7',
      'class Many:',
      '  size = 3',
      '  def item(self): raise ValueError("many")',
      'wandb.log({"s": Scalar(), "t": Tensor(), "m": Many()})',
    ]
    expect(reported(...things)).toEqual([{ s: 0.5, t: 7, step: 0 }])
  })

  test('NaN and infinities are reported as no numbers', () => {
    expect(reported('wandb.log({"a": float("nan"), "b": float("inf"), "c": -float("inf")})')).toEqual([
      { a: 'NaN', b: 'Infinity', c: '-Infinity', step: 0 },
    ])
  })

  test('a metric called step is a metric, not the step', () => {
    expect(reported('wandb.log({"step": 4, "loss": 1})')).toEqual([
      { loss: 1, step: 0 },
      { metric: 'step', value: 4, step: 0 },
    ])
  })

  test('uncommitted values are not lost when the program ends', () => {
    expect(reported('wandb.log({"a": 1}, step=3)', 'import sys', 'sys.exit(0)')).toEqual([{ a: 1, step: 3 }])
  })

  test('writes whole lines from many threads', () => {
    const lines = reported(
      'import threading',
      'threads = [threading.Thread(target=lambda: [wandb.log({"n": i}) for i in range(50)]) for _ in range(8)]',
      '[thread.start() for thread in threads]',
      '[thread.join() for thread in threads]',
    )
    expect(lines).toHaveLength(400)
    expect(lines.map(({ step }) => step)).toEqual(Array.from({ length: 400 }, (_, step) => step))
  })

  test('tables are CSV files in the folder of the run', () => {
    const { folder, stderr, status } = python(`import wandb
run = wandb.init()
table = wandb.Table(columns=["id", "solved"])
table.add_data("a, b", True)
table.add_data("c", False)
table.add_column("turns", [3, 4])
run.log({"instances": table, "deep/er": wandb.Table(data=[[1, 2, 3]]), "../../out": wandb.Table(columns=["x"], data=[[1]])})
print(table.get_column("turns"), [row for _, row in table.iterrows()][1])
`)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const file = (name: string) => readFileSync(join(folder, 'out', name), 'utf8').replaceAll('\r', '')
    expect(file('instances.csv')).toBe('id,solved,turns\n"a, b",True,3\nc,False,4\n')
    expect(file('deep/er.csv')).toBe('Input,Output,Expected\n1,2,3\n')
    expect(file('out.csv')).toBe('x\n1\n')
  })
})

describeWithPython('define_metric', () => {
  test('gives metrics an x-axis of their own, by name or by pattern', () => {
    expect(
      reported(
        'wandb.define_metric("global_step")',
        'wandb.define_metric("step/*", step_metric="global_step")',
        'run.define_metric("avg_*", step_metric=run.define_metric("n_instances"))',
        'wandb.log({"global_step": 10, "step/cost": 1})',
        'wandb.log({"n_instances": 1, "avg_cost": 5, "other": 9})',
        'wandb.log({"step/cost": 2})',
      ),
    ).toEqual([
      { global_step: 10, step: 0 },
      { 'step/cost': 1, step: 10 },
      { n_instances: 1, avg_cost: 5, other: 9, step: 1 },
      { 'step/cost': 2, step: 10 },
    ])
  })

  test.each([
    ['min', 1],
    ['max', 3],
    ['mean', 2],
    ['first', 3],
    ['last', 2],
    ['best', 1],
  ])('summary=%s sets the final value', (kind, value) => {
    const lines = reported(
      `wandb.define_metric("loss", summary="${kind}", goal="minimize")`,
      'for loss in (3, 1, 2): wandb.log({"loss": loss})',
    )
    expect(lines.at(-1)).toEqual({ summary: { loss: value, [`loss.${kind}`]: value } })
    expect(lines.filter(line => 'loss' in line).map(({ loss }) => loss)).toEqual([3, 1, 2])
  })

  test('several at once: the first one counts', () => {
    expect(
      reported('wandb.define_metric("acc", summary="max,mean")', 'for acc in (1, 3, 2): wandb.log({"acc": acc})').at(
        -1,
      ),
    ).toEqual({ summary: { acc: 3, 'acc.max': 3, 'acc.mean': 2 } })
  })

  test('summary=none leaves the last value', () => {
    expect(reported('wandb.define_metric("acc", summary="none")', 'wandb.log({"acc": 1})')).toEqual([
      { acc: 1, step: 0 },
    ])
  })
})

describeWithPython('summary', () => {
  test('sets the final value', () => {
    const program = [
      'wandb.log({"acc": 0.5})',
      'run.summary["best"] = 0.9',
      'wandb.summary.update({"acc": 0.8, "text": "x", "deep": {"er": 1}})',
      'run.summary.third = 3',
      'print(run.summary["acc"], run.summary.get("nothing"), "best" in run.summary)',
    ]
    expect(reported(...program)).toEqual([
      { acc: 0.5, step: 0 },
      { summary: { best: 0.9 } },
      { summary: { acc: 0.8, 'deep.er': 1 } },
      { summary: { third: 3 } },
    ])
  })

  test('is kept in full beside the results', () => {
    const { folder } = python(
      'import wandb\nwith wandb.init() as run:\n  run.log({"a": 1, "note": "hello"})\n  run.summary["b"] = [1]\n',
    )
    expect(JSON.parse(readFileSync(join(folder, 'out/wandb-summary.json'), 'utf8'))).toEqual({
      a: 1,
      note: 'hello',
      b: [1],
    })
  })
})
