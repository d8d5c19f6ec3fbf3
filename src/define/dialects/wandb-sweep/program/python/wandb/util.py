"""`wandb.util`: the few of its functions that programs use; all others do nothing."""

import importlib as _importlib
import random as _random
import string as _string

from ._inert import inert as _inert
from ._plain import plain as _plain
from .errors import UsageError


def generate_id(length=8):
    """A name that no other run has."""
    return "".join(_random.SystemRandom().choice(_string.ascii_lowercase + _string.digits) for _ in range(length))


def get_module(name, required=None, lazy=True):
    """A module that may not be installed: None, or the error that was asked for."""
    try:
        return _importlib.import_module(name)
    except ImportError:
        if required:
            raise UsageError(required)
        return None


def is_numpy_array(value):
    return type(value).__module__.split(".")[0] == "numpy" and hasattr(value, "ndim") and hasattr(value, "dtype")


def to_json(value):
    return value


def json_friendly_val(value):
    return _plain(value)


def json_friendly(value):
    """A value that can be written as JSON, and whether it is another one than was given."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    return plain, plain is not value


def make_artifact_name_safe(name):
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in str(name))


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _inert("wandb.util.%s" % name)
