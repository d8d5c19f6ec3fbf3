"""`wandb.config`: what the sweep chose, and what the program adds."""

import json

from ._plain import plain
from ._say import say_once


class Section(dict):
    """A nested part: `config.optimizer.lr` and `config["optimizer"]["lr"]`."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name)


class Config:
    def __init__(self, chosen=None):
        object.__setattr__(self, "_items", {})
        object.__setattr__(self, "_chosen", _sections(chosen or {}))
        self._items.update(self._chosen)

    def __getitem__(self, name):
        # Keys are text here, as in every file of a sweep: `config[1]` is `config["1"]`.
        return self._items[name if name in self._items else str(name)]

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._items[name]
        except KeyError:
            raise AttributeError("wandb.config has no %r" % name)

    def __setitem__(self, name, value):
        self._put({name: value}, say=True)

    __setattr__ = __setitem__

    def __contains__(self, name):
        return name in self._items or str(name) in self._items

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return repr(dict(self._items))

    def keys(self):
        return self._items.keys()

    def values(self):
        return self._items.values()

    def items(self):
        return self._items.items()

    def get(self, name, default=None):
        return self[name] if name in self else default

    def as_dict(self):
        return dict(self._items)

    def update(self, data=None, allow_val_change=None, **more):
        self._put(dict(mapping_of(data), **more), say=True)

    def setdefaults(self, data):
        self._put({name: value for name, value in mapping_of(data).items() if name not in self._items}, say=False)

    def update_locked(self, data, user=None, _allow_val_change=None):
        """Values that the program may not change from now on; what the sweep chose stays."""
        for name, value in mapping_of(data).items():
            name = str(name).strip("-")
            if name not in self._chosen:
                self._items[name] = self._chosen[name] = _sections(plain(value))

    def merge_locked(self, data):
        self.update_locked(data)

    def persist(self):
        pass

    def _put(self, data, say):
        for name, value in data.items():
            name = str(name).strip("-")
            value = _sections(plain(value))
            chosen = self._chosen.get(name)
            if name not in self._chosen:
                self._items[name] = value
            elif say and value != self._items[name]:
                say_once("config item %r was chosen by the sweep: it stays %r" % (name, self._items[name]))
            elif not say and isinstance(chosen, dict) and isinstance(value, dict):
                self._items[name] = _merged(value, chosen)


def mapping_of(data):
    """A dict out of whatever programs keep their settings in."""
    if data is None:
        return {}
    if isinstance(data, str):
        return _file(data)
    if hasattr(data, "flag_values_dict"):
        return dict(data.flag_values_dict())
    if hasattr(data, "keys"):
        return {name: data[name] for name in data.keys()}
    return dict(vars(data))


def _file(path):
    with open(path) as file:
        text = file.read()
    try:
        loaded = json.loads(text)
    except ValueError:
        import yaml  # only who keeps their settings in YAML needs it, and has it

        loaded = yaml.safe_load(text)
    values = {name: value for name, value in loaded.items() if name != "wandb_version"}
    return {
        name: value["value"] if isinstance(value, dict) and "value" in value else value for name, value in values.items()
    }


def _sections(value):
    if isinstance(value, dict):
        return Section((name, _sections(inner)) for name, inner in value.items())
    return value


def _merged(below, above):
    """Both, and what the sweep chose where they differ."""
    merged = Section(below)
    for name, value in above.items():
        inner = merged.get(name)
        merged[name] = _merged(inner, value) if isinstance(inner, dict) and isinstance(value, dict) else value
    return merged
