"""Numbers among all that programs log."""

import math


def number_of(value):
    """A number as a float or int; None if it is none. Takes what numpy, torch and others have, if it is a single number."""
    if isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (str, bytes, dict, list, tuple)) or value is None:
        return None
    size = getattr(value, "size", 1)
    if callable(size) or size == 1 or hasattr(value, "numel"):
        try:
            single = value.item() if hasattr(value, "item") else float(value)
        except Exception:
            return None
        return single if isinstance(single, (bool, int, float)) else None
    return None


def for_json(number):
    """JSON has no NaN: as text it still says that there was something, and that it is no number."""
    if isinstance(number, float) and not math.isfinite(number):
        return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")
    return number


def flattened(data, prefix=""):
    """`{"a": {"b": 1}}` as `a.b`, as in the original."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from flattened(value, "%s%s." % (prefix, name))
        else:
            yield "%s%s" % (prefix, name), value
