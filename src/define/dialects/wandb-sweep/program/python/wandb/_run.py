"""The run, as a program sees it."""

import glob as globbing
import json
import os
import shutil
import sys
import time

from . import _facts, _tensorboard
from ._history import History
from ._media import Artifact, Media, Table
from ._metrics import Definition
from ._metrics_file import MetricsFile
from ._numbers import flattened, number_of
from ._say import harmless, say, say_once
from ._settings import settings_of
from ._summary import Summary

#: Larger files stay where the program wrote them.
_most_bytes = 100_000_000


def _not_kept(name):
    def call(self, *args, **kwargs):
        say_once("%s does nothing here: nothing is sent to W&B or kept by it" % name)

    call.__name__ = name
    return call


def _with_text_keys(value):
    """JSON has no others."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _with_text_keys(inner) for key, inner in value.items()}
    return value


class Run:
    def __init__(self, config, name, project, entity, group, job_type, notes, tags, disabled, settings=None):
        file = MetricsFile(None if disabled else _facts.metrics_file)
        self._history = History(file)
        self._is_finished = False
        self.config = config
        self.start_time = time.time()
        self.summary = Summary(file, self._moment)
        self.id = _facts.run_id or "run"
        self.name = name or self.id
        self.project = project or "uncategorized"
        self.entity = entity or "assay"
        self.group = group
        self.job_type = job_type
        self.notes = notes
        self._tags = (tags,) if isinstance(tags, str) else tuple(tags or ())
        self.sweep_id = _facts.sweep
        self.dir = os.path.abspath(_facts.out_dir)
        self.disabled = disabled
        self.offline = True
        self.resumed = False
        self.starting_step = 0
        self.settings = settings_of(self, settings)

    @property
    def step(self):
        return self._history.step

    @property
    def tags(self):
        return self._tags

    @tags.setter
    def tags(self, tags):
        self._tags = (tags,) if isinstance(tags, str) else tuple(tags or ())

    # Private there as well, and used all the same.
    _settings = property(lambda self: self.settings)
    _config = property(lambda self: self.config)

    def _moment(self):
        """What the original notes beside every row."""
        now = time.time()
        return {"_step": max(0, self._history.step - 1), "_runtime": now - self.start_time, "_timestamp": now}

    @property
    def path(self):
        return "%s/%s/%s" % (self.entity, self.project, self.id)

    @property
    def url(self):
        return "file://%s" % os.path.dirname(self.dir)

    project_url = sweep_url = url

    def get_url(self):
        return self.url

    def project_name(self):
        return self.project

    @property
    def config_static(self):
        return self.config

    @harmless
    def log(self, data, step=None, commit=None, sync=None):
        if not hasattr(data, "items"):
            say_once("log takes a dict, got %s" % type(data).__name__)
            return
        numbers = {}
        for name, value in flattened(data):
            number = number_of(value)
            if number is not None:
                numbers[name] = number
            elif isinstance(value, Table):
                if not self.disabled:
                    value.write(name)
            elif isinstance(value, Media):
                kind = type(value).__name__
                say_once("numbers, text and tables are kept; not %s, which is %s" % (name, kind), "log %s" % kind)
        self._history.log(numbers, step, commit)
        self.summary.remember({name: data[name] for name in data if not isinstance(data[name], (Media, Table))})

    @harmless
    def define_metric(
        self, name, step_metric=None, step_sync=None, hidden=None, summary=None, goal=None, overwrite=None, **more
    ):
        definition = Definition(str(name), getattr(step_metric, "name", step_metric), summary, goal)
        self._history.definitions.add(definition)
        return definition

    @harmless
    def finish(self, exit_code=None, quiet=None):
        if self._is_finished:
            return
        self._is_finished = True
        self._history.flush()
        if not self.disabled:
            _tensorboard.keep()
        package = sys.modules.get("wandb")
        if package is not None and package.run is self:
            package.run = None
        if not self.disabled and len(self.summary) > 0:
            with open(os.path.join(self.dir, "wandb-summary.json"), "w") as file:
                json.dump(_with_text_keys(dict(self.summary.items())), file, default=str, indent=1)

    join = finish

    @harmless
    def save(self, glob_str=None, base_path=None, policy=None, **more):
        """Copies files into the run's folder, where the next run can't overwrite them."""
        kept = []
        for path in globbing.glob(str(glob_str or "")):
            if not os.path.isfile(path):
                continue
            if os.path.getsize(path) > _most_bytes:
                say_once("save: %s is large and stays where it is" % path)
                continue
            inside = os.path.relpath(path, base_path) if base_path else os.path.basename(path)
            target = os.path.join(self.dir, inside)
            if os.path.relpath(target, self.dir).startswith(".."):
                target = os.path.join(self.dir, os.path.basename(path))
            if os.path.abspath(path) != os.path.abspath(target):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copyfile(path, target)
            kept.append(target)
        return kept

    @harmless
    def alert(self, title="", text="", level=None, wait_duration=None):
        say("alert%s: %s %s" % ("" if level is None else " (%s)" % getattr(level, "value", level), title, text))

    def watch(self, *args, **kwargs):
        say_once("watch does nothing here: gradients are not kept")

    def log_artifact(self, artifact_or_path=None, name=None, type=None, *args, **kwargs):
        say_once("artifacts are not kept; save() copies files into the run's folder")
        return artifact_or_path if isinstance(artifact_or_path, Artifact) else Artifact(name or "artifact", type)

    def use_artifact(self, artifact_or_name=None, *args, **kwargs):
        if isinstance(artifact_or_name, Artifact):
            return artifact_or_name
        return Artifact(artifact_or_name)

    def upsert_artifact(self, artifact_or_path=None, *args, **kwargs):
        return self.log_artifact(artifact_or_path, *args, **kwargs)

    finish_artifact = upsert_artifact

    def _ignored(self, *args, **kwargs):
        return None

    unwatch = mark_preempting = display = status = _label = pin_config_keys = _ignored
    log_code, log_model, use_model = _not_kept("log_code"), _not_kept("log_model"), _not_kept("use_model")
    link_model, link_artifact = _not_kept("link_model"), _not_kept("link_artifact")
    restore, write_logs = _not_kept("restore"), _not_kept("write_logs")
    sync_dir = property(lambda self: self.dir)

    def to_html(self, *args, **kwargs):
        return ""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.finish(0 if kind is None else 1)
        return False
