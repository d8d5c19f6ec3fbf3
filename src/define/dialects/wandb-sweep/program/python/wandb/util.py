"""`wandb.util`: the few of its functions that programs use; all others do nothing."""

import random as _random
import string as _string

from ._inert import inert as _inert


def generate_id(length=8):
    """A name that no other run has."""
    return "".join(_random.SystemRandom().choice(_string.ascii_lowercase + _string.digits) for _ in range(length))


def to_json(value):
    return value


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
