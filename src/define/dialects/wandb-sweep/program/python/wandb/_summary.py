"""`run.summary`: what the run comes to."""

from ._numbers import flattened, number_of
from ._say import harmless


class Summary:
    def __init__(self, file, moment=dict):
        self._file = file
        self._items = {}
        #: `_step`, `_runtime` and `_timestamp` of the last row.
        self._moment = moment
        self._last = {}

    def __getitem__(self, name):
        return self._items[name] if name in self._items else self._last[name]

    def __getattr__(self, name):
        if name in ("_step", "_runtime", "_timestamp"):
            return self._last.get(name)
        if name.startswith("_"):
            raise AttributeError(name)
        return self._items.get(name)

    def __setitem__(self, name, value):
        self.update({name: value})

    def __setattr__(self, name, value):
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self.update({name: value})

    def __delitem__(self, name):
        self._items.pop(name, None)

    def __contains__(self, name):
        return name in self._items or name in self._last

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return repr(self._items)

    def keys(self):
        return self._items.keys()

    def items(self):
        return self._items.items()

    def get(self, name, default=None):
        return self[name] if name in self else default

    def _as_dict(self):
        return dict(self._items)

    @harmless
    def update(self, data=None, **more):
        given = dict(data or {}, **more)
        self._items.update(given)
        numbers = {name: number_of(value) for name, value in flattened(given)}
        self._file.summarise({name: number for name, number in numbers.items() if number is not None})

    def remember(self, data):
        """What was logged, without reporting it a second time."""
        for name, value in data.items():
            number = number_of(value)
            self._items[name] = value if number is None else number
        self._last = self._moment()
