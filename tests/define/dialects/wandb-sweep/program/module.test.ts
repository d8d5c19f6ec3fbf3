import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeWithPython, python } from './python.ts'

describeWithPython('the wandb module', () => {
  test('knows the run', () => {
    const { stdout, status, stderr, folder } = python(
      `import wandb
run = wandb.init(project="p", entity="e", name="n", group="g", tags=["a", "b"], job_type="t", notes="o", mode="offline", dir="x", save_code=True)
print(run is wandb.run, run.id, run.name, run.project, run.entity, run.group, run.tags, run.job_type, run.notes)
print(run.path, run.sweep_id, run.step, run.offline, run.disabled, run.resumed, run.dir, run.url)
wandb.finish()
print(wandb.run)
`,
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      "True the-run n p e g ('a', 'b') t o",
      `e/p/the-run the-sweep 0 True False False ${folder}/out file://${folder}`,
      'None',
      '',
    ])
  })

  test('takes defaults from assay', () => {
    const { stdout } = python('import wandb\nrun = wandb.init()\nprint(run.name, run.project, run.entity, run.tags)')
    expect(stdout).toBe('the-run the-project assay ()\n')
  })

  test('a run may be started again, and passed twice', () => {
    const { stdout, lines } = python(`import wandb
first = wandb.init()
print(wandb.init() is first, wandb.init(reinit=True) is first)
wandb.log({"a": 1})
with wandb.init() as run: run.log({"a": 2})
print(wandb.run)
`)
    expect(stdout).toBe('True False\nNone\n')
    expect(lines.map(({ a }) => a)).toEqual([1, 2])
  })

  test('mode="disabled" logs nothing, and says so', () => {
    const { lines, stderr, status } = python('import wandb\nwandb.init(mode="disabled")\nwandb.log({"a": 1})\n')
    expect({ lines, status }).toEqual({ lines: [], status: 0 })
    expect(stderr).toBe("assay wandb: init(mode='disabled'): nothing that is logged is kept\n")
  })

  test('unsupported data is accepted, with one notice', () => {
    const { status, stderr, lines } = python(`import wandb
run = wandb.init(settings=wandb.Settings(start_method="thread"))
for i in range(3):
  wandb.log({"i": i, "picture": wandb.Image([1, 2], caption="x"), "histogram": wandb.Histogram([1, 2])})
artifact = wandb.Artifact("data", type="dataset", metadata={"a": 1})
artifact.add_file("program.py")
with artifact.new_file("x.txt") as file: file.write("x")
run.log_artifact(artifact).wait()
wandb.watch(object(), log="all")
run.unwatch()
wandb.alert("Look", "here")
wandb.mark_preempting()
run.log_code(".")
wandb.log({"plot": wandb.plot.line(wandb.Table(columns=["x"], data=[[1]]), "x", "x")})
for thing in wandb.Api().runs("a/b"): print(thing)
wandb.require("core")
wandb.login(key="secret")
`)
    expect(status, stderr).toBe(0)
    expect(lines.map(({ i }) => i)).toEqual([0, 1, 2])
    expect(stderr.trim().split('\n')).toEqual([
      'assay wandb: numbers, text and tables are kept; not picture, which is Image',
      'assay wandb: numbers, text and tables are kept; not histogram, which is Histogram',
      "assay wandb: artifacts are not kept; save() copies files into the run's folder",
      'assay wandb: watch does nothing here: gradients are not kept',
      'assay wandb: alert: Look here',
      'assay wandb: log_code does nothing here: nothing is sent to W&B or kept by it',
      'assay wandb: wandb.plot does nothing here',
      'assay wandb: wandb.Api does nothing here',
      'assay wandb: wandb.require does nothing here',
    ])
    expect(stderr).not.toContain('secret')
  })

  test('integrations can be imported and subclassed', () => {
    const { status, stdout, stderr } = python(`import wandb
import wandb.keras
from wandb.integration.sb3 import WandbCallback
from wandb.sdk.wandb_run import Run
from wandb.sdk.lib import RunDisabled
from wandb.errors import CommError, UsageError
class Mine(WandbCallback): pass
run = wandb.init()
from importlib.metadata import version
print(version("wandb") == wandb.__version__)
print(isinstance(run, Run), isinstance(run, RunDisabled), Mine(verbose=2).anything(1) is not None, bool(WandbCallback()))
`)
    expect(status, stderr).toBe(0)
    expect(stdout).toBe('True\nTrue False True True\n')
  })

  test.each([
    ['wandb.Table.MAX_ROWS > 0', 'True'],
    ['wandb.Table(columns=["a"], data=[[1]]) == wandb.Table(columns=["a"], data=[[1]])', 'True'],
    ['isinstance(run, wandb.sdk.wandb_run.Run), isinstance(run, wandb.wandb_sdk.wandb_run.Run)', '(True, True)'],
    [
      'isinstance(3, (wandb.data_types.Media, wandb.sdk.data_types.image.Image)), isinstance(3, wandb.plot)',
      '(False, False)',
    ],
    ['wandb.data_types.Table is wandb.Table', 'True'],
    ['len(wandb.sdk.lib.runid.generate_id(5))', '5'],
    [
      'wandb.errors.CommError("x").message, issubclass(wandb.errors.UnsupportedError, wandb.errors.UsageError)',
      "('x', True)",
    ],
    ['wandb.setup().settings.mode', 'offline'],
    ['wandb.util.get_module("json").dumps([1]), wandb.util.get_module("no_such_module")', "('[1]', None)"],
    ['run._settings is run.settings, run._config is run.config, run.sync_dir == run.dir', '(True, True, True)'],
    ['run.write_logs("x"), run.pin_config_keys(["a"])', '(None, None)'],
    [
      'run.summary._as_dict(), run.summary["_step"], run.summary["_runtime"] >= 0, "_timestamp" in run.summary',
      "({'a': 2}, 1, True, True)",
    ],
    ['setattr(run, "tags", ["a"]) or run.tags + ("b",)', "('a', 'b')"],
    ['run.upsert_artifact(wandb.Artifact("name", type="kind")).name', 'name'],
  ])('has the parts that programs use: %s', (expression, expected) => {
    const { status, stdout, stderr } = python(`import wandb
run = wandb.init()
run.log({"a": 1})
run.log({"a": 2})
print((${expression}))
`)
    expect(status, stderr).toBe(0)
    expect(stdout).toBe(`${expected}\n`)
  })

  test('exceptions that programs catch exist', () => {
    const { status, stdout, stderr } = python(`import wandb
from wandb.sdk.lib.config_util import ConfigError
from wandb.errors import MailboxError, UnsupportedError
for kind in (ConfigError, MailboxError, UnsupportedError, wandb.sdk.lib.ServiceStartError, wandb.NoSuchError):
  try: raise ValueError("of the program")
  except kind: pass
  except ValueError as error: print(error)
`)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toBe('of the program\n'.repeat(5))
  })

  test('callbacks for Keras log their arguments', () => {
    const { status, stderr, lines } = python(`import wandb
from wandb.integration.keras import WandbMetricsLogger, WandbModelCheckpoint
try: WandbMetricsLogger()
except wandb.Error as error: print(error)
wandb.init()
class Optimizer: learning_rate = 0.5
class Model: optimizer = Optimizer()
def fit(*callbacks):
  for callback in callbacks:
    callback.set_params({}), callback.set_model(Model()), callback.on_train_begin()
    for epoch in range(2):
      for batch in range(3): callback.on_train_batch_end(batch, {"loss": 3.0 - batch})
      callback.on_epoch_end(epoch, {"loss": 1.0 - epoch})
fit(WandbMetricsLogger(), WandbModelCheckpoint("m.keras"))
fit(WandbMetricsLogger(log_freq=2))
fit(wandb.keras.WandbCallback(save_model=False))
`)
    expect(status, stderr).toBe(0)
    expect(stderr).toBe('assay wandb: wandb.keras.WandbModelCheckpoint does nothing here\n')
    const losses = lines.filter(line => Object.keys(line).some(name => name.endsWith('loss')))
    expect(losses).toMatchObject([
      { 'epoch/loss': 1, 'epoch/learning_rate': 0.5, step: 0 },
      { 'epoch/loss': 0, 'epoch/learning_rate': 0.5, step: 1 },
      { 'batch/loss': 3, 'batch/learning_rate': 0.5, step: 0 },
      { 'batch/loss': 1, 'batch/learning_rate': 0.5, step: 2 },
      { 'epoch/loss': 1, 'epoch/learning_rate': 0.5, step: 0 },
      { 'batch/loss': 3, 'batch/learning_rate': 0.5, step: 4 },
      { 'batch/loss': 1, 'batch/learning_rate': 0.5, step: 6 },
      { 'epoch/loss': 0, 'epoch/learning_rate': 0.5, step: 1 },
      { loss: 1, epoch: 0, step: 8 },
      { loss: 0, epoch: 1, step: 9 },
    ])
  })

  test('a missing part reports itself when used', () => {
    const { status, stderr } = python('import wandb\nwandb.sdk.lib.telemetry.context()\nwandb.data_types.Bokeh\n')
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr:
        'assay wandb: wandb.sdk.lib.telemetry.context does nothing here\nassay wandb: wandb.data_types.Bokeh does nothing here\n',
    })
  })

  test('copies files to a place that the next run can’t overwrite', () => {
    const { folder, status, stderr } = python(
      `import wandb
run = wandb.init()
wandb.save("models/*.bin", base_path=".")
run.save("program.py")
`,
      {},
      { files: { 'models/a.bin': 'one', 'models/b.bin': 'two' } },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(readFileSync(join(folder, 'out/models/b.bin'), 'utf8')).toBe('two')
    expect(existsSync(join(folder, 'out/program.py'))).toBe(true)
  })

  test.each([
    ['wandb.log({"a": 1})', 'wandb.errors.Error: wandb.init() must be called before wandb.log()'],
    ['wandb.sweep({}, project="p")', 'UsageError: assay runs the sweep: write its configuration to sweep.yaml'],
    ['wandb.agent("id", function=print)', 'UsageError: assay starts the runs: make the function the main part'],
    ['wandb.init().use_artifact("a:latest").download()', "CommError: the artifact 'a:latest' is on the servers of W&B"],
  ])('explains what can’t work: %s', (line, message) => {
    const { status, stderr } = python(`import wandb\n${line}\n`)
    expect(status).toBe(1)
    expect(stderr).toContain(message)
  })

  test('its own errors never break the program', () => {
    const { status, stderr, stdout } = python(`import os, wandb
run = wandb.init()
wandb.log("not a dict")
wandb.log({"a": 1}, step="x")
os.environ["ASSAY_METRICS_FILE"]
run._history._file._path = "/proc/nowhere/metrics"
for i in range(3): wandb.log({"a": i})
run.summary["a"] = 3
print("still here")
`)
    expect(status).toBe(0)
    expect(stdout).toBe('still here\n')
    expect(stderr.split('\n').filter(line => line !== '' && !line.startsWith('assay wandb: '))).toEqual([])
    expect(stderr).toContain('log takes a dict, got str')
    expect(stderr.split('/proc/nowhere').length - 1).toBeLessThanOrEqual(3)
  })

  test('leaves errors of the program unchanged', () => {
    const { status, stderr, lines } = python(
      'import wandb\nwandb.init()\nwandb.log({"a": 1}, step=1)\nraise SystemExit(3)\n',
    )
    expect({ status, stderr, lines }).toEqual({ status: 3, stderr: '', lines: [{ a: 1, step: 1 }] })
  })
})

describeWithPython('the installed package', () => {
  const installed = {
    'site/wandb/__init__.py': `from . import sdk
run = None
def init(**settings):
    global run
    run = sdk.wandb_run.Run(settings.get("config") or {})
    return run
def log(*args, **kwargs): return run.log(*args, **kwargs)
def finish(): run.finish()
`,
    'site/wandb/sdk/__init__.py': 'from . import wandb_run\n',
    'site/wandb/sdk/wandb_run.py': `class Config(dict):
    def update(self, other, allow_val_change=None): dict.update(self, other)
class Run:
    def __init__(self, config): self.config = Config(config); self.logged = []
    def log(self, data, step=None, commit=None): self.logged.append(data)
    def define_metric(self, name, step_metric=None, **more): pass
    def finish(self, exit_code=None): print("real", self.logged)
`,
  }

  test('is used on request: it gets everything, and assay the numbers', () => {
    const { stdout, stderr, status, lines } = python(
      `import wandb
from wandb.sdk.wandb_run import Run
run = wandb.init(config={"lr": 9, "other": 1})
assert isinstance(run, Run)
run.define_metric("v", step_metric="epoch")
wandb.log({"v": 0.5, "epoch": 3, "text": "x"})
run.log({"v": 0.7}, step=7)
wandb.finish()
print(sorted(run.config.items()))
`,
      { lr: 0.1 },
      { files: installed, facts: { module: 'real' }, path: 'site' },
    )
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      "real [{'v': 0.5, 'epoch': 3, 'text': 'x'}, {'v': 0.7}]",
      "[('lr', 0.1), ('other', 1)]",
    ])
    expect(lines).toEqual([
      { v: 0.5, step: 3 },
      { epoch: 3, step: 0 },
      { v: 0.7, step: 3 },
    ])
  })

  test('is reported if missing, even if a folder has its name', () => {
    const { status, stderr } = python(
      'import wandb\n',
      {},
      { facts: { module: 'real' }, files: { 'wandb/debug.log': '' } },
    )
    expect(status).toBe(1)
    expect(stderr).toContain('the package wandb is not installed')
    expect(stderr).toContain("ImportError: No module named 'wandb'")
  })
})
