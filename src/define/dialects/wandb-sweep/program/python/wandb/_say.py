"""Lines on standard error, and the promise never to break the program that is being measured."""

import functools
import sys

_said = set()


def say(text):
    try:
        sys.stderr.write("assay wandb: %s\n" % (text,))
        sys.stderr.flush()
    except Exception:
        pass


def say_once(text, about=None):
    """Once in the life of the program, however often it happens."""
    key = about or text
    if key not in _said:
        _said.add(key)
        say(text)


def harmless(method):
    """Whatever goes wrong in here is one line on standard error, and None."""

    @functools.wraps(method)
    def call(*args, **kwargs):
        try:
            return method(*args, **kwargs)
        except Exception as error:
            say_once("%s: %s: %s" % (method.__name__, type(error).__name__, error))
            return None

    return call
