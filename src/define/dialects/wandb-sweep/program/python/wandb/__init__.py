"""What a program written for Weights & Biases finds when assay runs it: the same calls, without account or network.

Numbers go to the run's metrics file, tables to its `out` folder. What can't be kept is accepted, and said once on standard
error. Needs Python 3.8 and its standard library. With `target: { wandb: real }` the installed package is used instead.
"""

from . import _facts

if _facts.module == "real":
    from . import _real

    _real.take_over(__name__)
else:
    from . import errors, tensorboard, util
    from ._config import Config
    from ._entry import agent, controller, finish, init, login, setup, sweep, teardown
    from ._inert import Part, answer_imports, inert
    from ._media import (
        Artifact,
        Audio,
        Graph,
        Histogram,
        Html,
        Image,
        Molecule,
        Object3D,
        Plotly,
        Table,
        Video,
    )
    from ._run import Run
    from ._say import say
    from ._settings import AlertLevel, Settings
    from .errors import CommError, Error, UsageError

    __version__ = "0.30.0+assay"

    #: The run that `init` began; None before and after.
    run = None
    #: What the sweep chose, also before `init`.
    config = Config(_facts.config)
    summary = None

    join = finish
    answer_imports(__name__)

    def _of_run(name):
        def call(*args, **kwargs):
            if run is None:
                raise Error("wandb.init() must be called before wandb.%s()" % name)
            return getattr(run, name)(*args, **kwargs)

        call.__name__ = name
        return call

    log = _of_run("log")
    define_metric = _of_run("define_metric")
    save = _of_run("save")
    restore = _of_run("restore")
    watch = _of_run("watch")
    unwatch = _of_run("unwatch")
    alert = _of_run("alert")
    log_artifact = _of_run("log_artifact")
    use_artifact = _of_run("use_artifact")
    log_model = _of_run("log_model")
    use_model = _of_run("use_model")
    link_model = _of_run("link_model")
    mark_preempting = _of_run("mark_preempting")

    def termlog(string="", newline=True, repeat=True):
        say(string)

    def termwarn(string, newline=True, repeat=True):
        say("warning: %s" % string)

    def termerror(string, newline=True, repeat=True):
        say("error: %s" % string)

    _parts = ("sdk", "wandb_sdk", "wandb_lib", "wandb_run", "data_types", "apis", "env", "integration", "proto")

    def __getattr__(name):
        """Whatever else the package has does nothing here."""
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "keras":
            import importlib

            return importlib.import_module("wandb.keras")
        return Part("wandb.%s" % name) if name in _parts else inert("wandb.%s" % name)
