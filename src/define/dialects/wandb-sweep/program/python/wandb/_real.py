"""Uses the installed package, and tells assay of the numbers that it is given."""

import functools
import importlib
import os
import sys

from . import _facts
from ._history import History
from ._metrics import Definition
from ._metrics_file import MetricsFile
from ._numbers import flattened, number_of
from ._say import harmless, say


def take_over(name):
    """Puts the installed package in the place of this one."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for module in [module for module in sys.modules if module == name or module.startswith(name + ".")]:
        del sys.modules[module]
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
    try:
        real = importlib.import_module(name)
        # The package leaves a folder of that name in the working directory, which Python would take for it.
        if getattr(real, "__file__", None) is None:
            raise ImportError("No module named %r" % name)
    except ImportError:
        say("the package wandb is not installed for %s: install it, or leave `wandb: real` out" % sys.executable)
        raise
    _listen(real)
    sys.modules[name] = real


@harmless
def _listen(real):
    run_class = real.sdk.wandb_run.Run
    file = MetricsFile(_facts.metrics_file)
    history = History(file)

    def logged(run, data, step=None, commit=None, *args, **kwargs):
        numbers = {name: number_of(value) for name, value in flattened(dict(data))}
        history.log({name: number for name, number in numbers.items() if number is not None}, step, commit)

    def defined(run, name, step_metric=None, step_sync=None, hidden=None, summary=None, *args, **kwargs):
        history.definitions.add(Definition(str(name), getattr(step_metric, "name", step_metric), summary, kwargs.get("goal")))

    def finished(run, *args, **kwargs):
        history.flush()

    _before(run_class, "log", logged)
    _before(run_class, "define_metric", defined)
    _before(run_class, "finish", finished)
    _choose(real)


def _before(owner, name, also):
    original = getattr(owner, name)
    safely = harmless(also)

    @functools.wraps(original)
    def call(*args, **kwargs):
        safely(*args, **kwargs)
        return original(*args, **kwargs)

    setattr(owner, name, call)


def _choose(real):
    """The sweep's parameters go into the configuration of every run, and win."""
    original = real.init

    @functools.wraps(original)
    def init(*args, **kwargs):
        run = original(*args, **kwargs)
        harmless(run.config.update)(_facts.config, allow_val_change=True)
        return run

    real.init = init
