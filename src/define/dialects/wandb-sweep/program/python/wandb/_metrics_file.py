"""The file in which assay reads what a run reports."""

import json
import os

from ._numbers import for_json


class MetricsFile:
    def __init__(self, path):
        self._path = path

    def report(self, step, values):
        """Values of metrics at a step."""
        # A line's own `step` is the x-axis: a metric of that name needs the other form.
        line = {name: for_json(value) for name, value in values.items() if name not in ("step", "_step")}
        if line:
            self._write(dict(line, step=step))
        for name in ("step", "_step"):
            if name in values:
                self._write({"metric": name, "value": for_json(values[name]), "step": step})

    def summarise(self, values):
        """What metrics count as in the end."""
        if values:
            self._write({"summary": {name: for_json(value) for name, value in values.items()}})

    def _write(self, line):
        if not self._path:
            return
        # One write per line, at the end: processes of the same run may share the file.
        descriptor = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(descriptor, (json.dumps(line) + "\n").encode("utf-8"))
        finally:
            os.close(descriptor)
