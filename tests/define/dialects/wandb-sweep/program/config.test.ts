import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../../src/util/json.ts'
import { describeWithPython, python } from './python.ts'

const printed = (program: string, config: JsonObject = {}, files: Record<string, string> = {}) => {
  const { stdout, stderr, status } = python(`import wandb, json\n${program}\n`, config, { files })
  expect(status, stderr).toBe(0)
  return { lines: stdout.trim().split('\n'), stderr }
}

describeWithPython('wandb.config', () => {
  const chosen = { lr: 0.5, n: 3, optimizer: { name: 'adam', nadam: { beta: 0.9 } } }

  test('has the sweep’s parameters, by attribute and by key, at any depth', () => {
    const program = `run = wandb.init()
c = wandb.config
print(c.lr, c["n"], c.get("nope"), c.get("nope", 4), "lr" in c, "nope" in c)
print(c.optimizer["name"], c["optimizer"]["nadam"]["beta"], c.optimizer.nadam.beta)
print(sorted(c.keys()), dict(c)["lr"], len(c), json.dumps(c.as_dict()["optimizer"]))
print(run.config is wandb.config, {**c}["n"], c._items["n"], vars(c)["_items"]["n"])`
    expect(printed(program, chosen).lines).toEqual([
      '0.5 3 None 4 True False',
      'adam 0.9 0.9',
      `['lr', 'n', 'optimizer'] 0.5 3 {"name": "adam", "nadam": {"beta": 0.9}}`,
      'True 3 3 3',
    ])
  })

  test('accepts additions of the program; the sweep’s parameters stay', () => {
    const { lines, stderr } = printed(
      `import argparse
wandb.init(config=argparse.Namespace(lr=9, epochs=5))
c = wandb.config
print(c.lr, c.epochs)
c.update({"epochs": 6, "lr": 7}, allow_val_change=True)
c.batch = 8
c["more"] = 9
c.setdefaults({"n": 1, "fresh": 2})
print(c.lr, c.epochs, c.batch, c.more, c.n, c.fresh)`,
      chosen,
    )
    expect(lines).toEqual(['0.5 5', '0.5 6 8 9 3 2'])
    expect(stderr).toBe("assay wandb: config item 'lr' was chosen by the sweep: it stays 0.5\n")
  })

  test('nested parts are merged', () => {
    const program =
      'wandb.init(config={"optimizer": {"name": "sgd", "momentum": 0.8}})\nprint(sorted(wandb.config.optimizer.items()))'
    expect(printed(program, { optimizer: { name: 'adam' } }).lines).toEqual(["[('momentum', 0.8), ('name', 'adam')]"])
  })

  test('may be a file, or only some of its keys', () => {
    const files = { 'settings.json': '{"wandb_version": 1, "a": {"value": 1, "desc": "x"}, "b": 2}' }
    expect(printed('wandb.init(config="settings.json")\nprint(dict(wandb.config))', {}, files).lines).toEqual([
      "{'a': 1, 'b': 2}",
    ])
    const some = 'wandb.init(config={"a": 1, "b": 2, "c": 3}, config_exclude_keys=["b"])\nprint(dict(wandb.config))'
    expect(printed(some).lines).toEqual(["{'a': 1, 'c': 3}"])
  })

  test('a missing key is an error, as in W&B', () => {
    const program = `wandb.init()
for look in (lambda: wandb.config.nope, lambda: wandb.config["nope"]):
  try: look()
  except (AttributeError, KeyError) as error: print(type(error).__name__)`
    expect(printed(program).lines).toEqual(['AttributeError', 'KeyError'])
  })

  test('keeps values as JSON, like W&B, so that the program can write them', () => {
    const program = `import enum, pathlib, dataclasses
@dataclasses.dataclass
class Data:
  x: int = 1
class Kind(enum.Enum):
  A = 1
class Scalar:
  def tolist(self): return 2.5
wandb.init(config={"path": pathlib.Path("a/b"), "pair": (1, (2, 3)), "set": {4}, "kind": Kind.A, "data": Data(), "scalar": Scalar(), "nan": float("nan"), "call": json.dumps, "of": dict})
wandb.config.update({"deep": {"pair": (1, 2)}})
wandb.config.late = pathlib.Path("c")
print(json.dumps(dict(wandb.config)))`
    expect(JSON.parse(printed(program).lines[0] ?? '')).toEqual({
      path: 'a/b',
      pair: [1, [2, 3]],
      set: [4],
      kind: 'A',
      data: { x: 1 },
      scalar: 2.5,
      nan: null,
      call: 'json.dumps',
      of: 'builtins.dict',
      deep: { pair: [1, 2] },
      late: 'c',
    })
  })

  test('Python distinguishes 1.0 from 1', () => {
    const { stdout } = python('import wandb\nwandb.init()\nprint(wandb.config.a, wandb.config.b)', { a: 1.5, b: 1 })
    expect(stdout).toBe('1.5 1\n')
  })
})
