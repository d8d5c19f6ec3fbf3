"""What `define_metric` says: along which x-axis a metric runs, and what it counts as in the end."""

import fnmatch

_kinds = ("min", "max", "mean", "best", "last", "first", "copy", "none")


class Definition:
    def __init__(self, name, step_metric=None, summary=None, goal=None):
        self.name = name
        self.step_metric = step_metric
        self.summary = tuple(kind for kind in _words(summary) if kind in _kinds)
        self.goal = goal


def _words(text):
    if text is None:
        return []
    return [word.strip() for word in (text.split(",") if isinstance(text, str) else text)]


class Definitions:
    def __init__(self):
        self._exact = {}
        self._patterns = []

    def add(self, definition):
        if "*" in definition.name:
            self._patterns.append(definition)
        else:
            self._exact[definition.name] = definition

    def of(self, name):
        """The definition of a metric; one by its own name counts more than a pattern, and a later pattern more than an earlier."""
        exact = self._exact.get(name)
        if exact is not None:
            return exact
        for definition in reversed(self._patterns):
            if fnmatch.fnmatchcase(name, definition.name) and name != definition.step_metric:
                return definition
        return None


class Tally:
    """Minimum, maximum, mean and the like of a metric so far."""

    def __init__(self, definition):
        self._definition = definition
        self._first = self._last = self._low = self._high = None
        self._sum = 0.0
        self._count = 0

    def add(self, value):
        self._last = value
        if value != value:
            return
        self._first = value if self._first is None else self._first
        self._low = value if self._low is None else min(self._low, value)
        self._high = value if self._high is None else max(self._high, value)
        self._sum += value
        self._count += 1

    def summaries(self):
        """By kind, in the order in which they were asked for."""
        kinds = [kind for kind in self._definition.summary if kind not in ("none", "copy")]
        if self._count == 0:
            return {}
        return {kind: self._of(kind) for kind in kinds}

    def _of(self, kind):
        if kind == "best":
            return self._low if str(self._definition.goal or "minimize").startswith("min") else self._high
        return {
            "min": self._low,
            "max": self._high,
            "mean": self._sum / self._count,
            "first": self._first,
            "last": self._last,
        }[kind]
