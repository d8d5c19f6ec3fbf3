"""Rows of what is logged, step by step."""

import threading

from ._metrics import Definitions, Tally
from ._say import say_once


class History:
    def __init__(self, file):
        self._file = file
        self._lock = threading.RLock()
        self._row = {}
        #: The last value of everything, for x-axes that are not logged each time.
        self._last = {}
        self._tallies = {}
        self.definitions = Definitions()
        self.step = 0

    def log(self, numbers, step=None, commit=None):
        """Numbers of one row. A row is complete when it is committed, or when a later step begins."""
        with self._lock:
            if step is not None:
                step = int(step)
                if step < self.step:
                    say_once("step %d is before step %d, which is written already: it is left out" % (step, self.step), "step")
                    return
                if step > self.step:
                    self.flush()
                    self.step = step
            self._row.update(numbers)
            if commit or (commit is None and step is None):
                self.flush()
                self.step += 1

    def flush(self):
        with self._lock:
            row, self._row = self._row, {}
            if not row:
                return
            self._last.update(row)
            by_step = {}
            for name, value in row.items():
                by_step.setdefault(self._x_of(name), {})[name] = value
            for x, values in by_step.items():
                self._file.report(x, values)
            self._file.summarise(self._summaries(row))

    def _x_of(self, name):
        definition = self.definitions.of(name)
        x = None if definition is None or definition.step_metric is None else self._last.get(definition.step_metric)
        return self.step if x is None or x != x else x

    def _summaries(self, row):
        """Of metrics that count as something else than their last value."""
        found = {}
        for name, value in row.items():
            definition = self.definitions.of(name)
            if definition is None or not definition.summary:
                continue
            tally = self._tallies.setdefault(name, Tally(definition))
            tally.add(value)
            for index, (kind, summary) in enumerate(tally.summaries().items()):
                found["%s.%s" % (name, kind)] = summary
                if index == 0:
                    found[name] = summary
        return found
