"""`wandb.keras`: the callbacks that log numbers. Keras calls them by the names of their methods; no class of its own is needed."""

import sys

from ._inert import Inert, inert as _inert
from .errors import Error


def _run(name):
    run = sys.modules["wandb"].run
    if run is None:
        raise Error("wandb.init() must be called before %s()" % name)
    return run


def _rate_of(model):
    """The learning rate, if it is one number."""
    try:
        return float(model.optimizer.learning_rate)
    except Exception:
        return None


class _Callback(Inert):
    model = None

    def set_model(self, model):
        self.model = model

    def set_params(self, params):
        self.params = params


class WandbMetricsLogger(_Callback):
    """`epoch/loss` along `epoch/epoch`, or `batch/loss` along `batch/batch_step`, as in the original."""

    def __init__(self, log_freq="epoch", initial_global_step=0, *args, **kwargs):
        run = _run("WandbMetricsLogger")
        self._every = 1 if log_freq == "batch" else log_freq if isinstance(log_freq, int) else None
        self._batches = 0
        kind, x = ("epoch", "epoch/epoch") if self._every is None else ("batch", "batch/batch_step")
        run.define_metric(x)
        run.define_metric("%s/*" % kind, step_metric=x)

    def on_epoch_end(self, epoch, logs=None):
        self._log("epoch", dict(logs or {}, epoch=epoch))

    def on_train_batch_end(self, batch, logs=None):
        if self._every is not None and batch % self._every == 0:
            self._log("batch", dict(logs or {}, batch_step=self._batches))
            self._batches += self._every

    def _log(self, kind, logs):
        rate = _rate_of(self.model)
        if rate is not None:
            logs["learning_rate"] = rate
        _run("WandbMetricsLogger").log({"%s/%s" % (kind, name): value for name, value in logs.items()})


class WandbCallback(_Callback):
    """The older one: names as Keras has them. Models and predictions are not kept."""

    def __init__(self, *args, **kwargs):
        _run("WandbCallback")

    def on_epoch_end(self, epoch, logs=None):
        _run("WandbCallback").log(dict(logs or {}, epoch=epoch))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _inert("wandb.keras.%s" % name)
