"""Values as a configuration keeps them: what JSON can say, as in the original."""

import dataclasses
import datetime
import enum
import os


def plain(value):
    """A path becomes text, a tuple a list, a number of numpy one of Python; NaN becomes None."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, float):
        return None if value != value else float(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner) for inner in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return plain(dataclasses.asdict(value))
    return _of_library(value)


def _of_library(value):
    """Arrays and tensors, functions and classes; text of everything else."""
    try:
        if callable(value) and hasattr(value, "__qualname__"):
            return "%s.%s" % (value.__module__, value.__qualname__)
        if callable(getattr(value, "tolist", None)):
            return plain(value.tolist())
        if hasattr(value, "keys") and hasattr(value, "__getitem__"):
            return {name: plain(value[name]) for name in value.keys()}
    except Exception:
        pass
    return str(value)
