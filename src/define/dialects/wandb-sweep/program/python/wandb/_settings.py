"""`run.settings` and `wandb.Settings`: what is known, and None for everything else."""

import enum
import os


class AlertLevel(enum.Enum):
    INFO = "INFO"
    WARN = "WARN"
    ERROR = "ERROR"


class Settings:
    def __init__(self, *args, **given):
        self.__dict__.update(given)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    def __contains__(self, name):
        return name in self.__dict__

    def keys(self):
        return self.__dict__.keys()

    def __getitem__(self, name):
        return self.__dict__[name]

    def items(self):
        return self.__dict__.items()

    def get(self, name, default=None):
        return self.__dict__.get(name, default)

    def update(self, data=None, **more):
        self.__dict__.update(data or {}, **more)

    def copy(self):
        return Settings(**self.__dict__)

    def to_dict(self):
        return dict(self.__dict__)

    model_dump = to_dict


def settings_of(run, given=None):
    """Of a run: where it is and what it is called, under the names of the original."""
    found = Settings(
        run_id=run.id,
        run_name=run.name,
        run_group=run.group,
        run_job_type=run.job_type,
        run_notes=run.notes,
        run_tags=run.tags,
        run_url=run.url,
        run_mode="offline-run",
        project=run.project,
        entity=run.entity,
        sweep_id=run.sweep_id,
        mode="disabled" if run.disabled else "offline",
        root_dir=os.getcwd(),
        wandb_dir=run.dir,
        sync_dir=run.dir,
        files_dir=run.dir,
        log_dir=run.dir,
        tmp_dir=run.dir,
        base_url="file://",
        silent=False,
        disabled=run.disabled,
        _offline=True,
        _noop=run.disabled,
    )
    if given is not None:
        found.update({name: value for name, value in dict(given).items() if value is not None})
    return found
