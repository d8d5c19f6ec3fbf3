"""Things that accept whatever is done to them, and do nothing."""

import importlib.abc
import importlib.machinery
import sys
import types

from ._say import say_once


class _AnyAttribute(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert()


class Inert(metaclass=_AnyAttribute):
    """A class, so that programs may also derive their own from it; `wandb.Kind.NAME` is as good as `wandb.Kind().name`."""

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Inert()

    def __getitem__(self, name):
        return Inert()

    def __setitem__(self, name, value):
        pass

    def __iter__(self):
        return iter(())

    def __len__(self):
        return 0

    def __bool__(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def __instancecheck__(self, value):
        """Nothing is of a kind that is not here; programs ask all the same."""
        return False

    def __subclasscheck__(self, kind):
        return False


def inert(name):
    """Stands for something of the package that is not here: a class where it is called like one."""
    last = name.rsplit(".", 1)[-1]
    if last.endswith(("Error", "Exception")):
        # Never raised; but whatever a program catches must be an exception.
        return type(last, (sys.modules["wandb.errors"].Error,), {})
    say_once("%s does nothing here" % name)
    return type(last, (Inert,), {}) if last[:1].isupper() else Inert()


def known(name):
    """What is here under that name, wherever the original has it: `wandb.sdk.wandb_run.Run` is `wandb.Run`."""
    package = vars(sys.modules["wandb"])
    if name in ("run", "config", "summary"):
        return None
    return package.get(name, vars(package["util"]).get(name, vars(package["errors"]).get(name)))


class Part:
    """A part of the package that is not here. What it holds may be; nothing is said before something else is asked for."""

    def __init__(self, name):
        self._name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        here = known(name)
        if here is not None:
            return here
        inner = "%s.%s" % (self._name, name)
        return inert(inner) if name[:1].isupper() else Part(inner)

    def __call__(self, *args, **kwargs):
        return inert(self._name)()

    def __setattr__(self, name, value):
        if name != "_name":
            say_once("%s does nothing here" % self._name)
        object.__setattr__(self, name, value)


class _Module(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        here = known(name)
        return inert("%s.%s" % (self.__name__, name)) if here is None else here


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, package):
        self._prefix = package + "."

    def find_spec(self, name, path=None, target=None):
        if not name.startswith(self._prefix):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return _Module(spec.name)

    def exec_module(self, module):
        pass


def answer_imports(package):
    """`import wandb.keras` and the like find a module in which nothing does anything."""
    sys.meta_path.append(_Finder(package))
