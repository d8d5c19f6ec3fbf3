"""`wandb.init` and what goes with it."""

import atexit
import sys

from . import _facts, _tensorboard
from ._config import Config, mapping_of
from ._run import Run
from ._say import harmless, say_once
from ._settings import Settings
from .errors import UsageError


def init(
    entity=None,
    project=None,
    dir=None,
    id=None,
    name=None,
    notes=None,
    tags=None,
    config=None,
    config_exclude_keys=None,
    config_include_keys=None,
    allow_val_change=None,
    group=None,
    job_type=None,
    mode=None,
    reinit=None,
    **more
):
    """Begins the run, or gives the one that is under way."""
    package = sys.modules["wandb"]
    if package.run is not None:
        if reinit not in (True, "finish_previous", "create_new"):
            return package.run
        package.run.finish()
    settings = Config(_facts.config)
    _add(settings, package.config if isinstance(package.config, dict) else None)
    _add(settings, config, config_include_keys, config_exclude_keys)
    run = Run(
        settings,
        name=name,
        project=project or _facts.project,
        entity=entity or _facts.entity,
        group=group,
        job_type=job_type,
        notes=notes,
        tags=tags,
        disabled=mode == "disabled",
        settings=more.get("settings"),
    )
    if more.get("sync_tensorboard") and mode != "disabled":
        _tensorboard.sync()
    if mode == "disabled":
        say_once("init(mode='disabled'): nothing that is logged is kept")
    package.run, package.config, package.summary = run, run.config, run.summary
    return run


@harmless
def _add(settings, config, include=None, exclude=None):
    given = mapping_of(config)
    wanted = {
        name: value
        for name, value in given.items()
        if (include is None or name in include) and (exclude is None or name not in exclude)
    }
    settings._put(wanted, say=False)


def finish(exit_code=None, quiet=None):
    run = sys.modules["wandb"].run
    if run is not None:
        run.finish(exit_code)


atexit.register(finish)


def login(*args, **kwargs):
    return True


class _Setup:
    settings = Settings(mode="offline", silent=False)


def setup(*args, **kwargs):
    return _Setup()


def teardown(exit_code=None):
    finish(exit_code)


def sweep(*args, **kwargs):
    raise UsageError("assay runs the sweep: write its configuration to sweep.yaml, name this program in it, and assay run sweep.yaml")


def agent(*args, **kwargs):
    raise UsageError("assay starts the runs: make the function the main part of this program, and assay run sweep.yaml")


controller = sweep
