"""TensorBoard's event files, for programs that ask for `sync_tensorboard`: assay reads the numbers in them."""

import atexit
import os
import shutil
import sys

from . import _facts
from ._say import harmless, say_once

#: Larger files stay where the program wrote them.
_most_bytes = 1_000_000_000
#: Folders that are looked through for files that were not seen being opened.
_most_folders = 2_000

_is_on = False
_opened = []
_roots = []


def sync(root_logdir=None):
    """From now on, event files that this process writes are kept with the run."""
    global _is_on
    if root_logdir:
        _roots.append(str(root_logdir))
    if _is_on:
        return
    _is_on = True
    # Writers in Python open their files where this can see it, whichever library they are of.
    sys.addaudithook(_heard)
    # Registered late, and so called before the writers of the program end: once more when they have.
    atexit.register(keep)


def _heard(event, args):
    if event != "open" or not args:
        return
    path, mode = args[0], args[1] if len(args) > 1 else None
    if isinstance(mode, str) and mode.startswith("r") and "+" not in mode:
        return
    # TensorBoard's own writer, which PyTorch's builds on, names its files in bytes.
    if not isinstance(path, (str, bytes)) or (b"tfevents" if isinstance(path, bytes) else "tfevents") not in path:
        return
    path = os.path.abspath(os.fsdecode(path))
    if path not in _opened:
        _opened.append(path)


@harmless
def keep():
    """Copies the files into the run's folder, as far as they are written."""
    if not _is_on:
        return
    files = [path for path in dict.fromkeys(_opened) if os.path.isfile(path)] or list(_written_natively())
    folder = os.path.abspath(os.path.join(_facts.out_dir, "tensorboard"))
    outside = [path for path in files if not path.startswith(os.path.abspath(_facts.out_dir) + os.sep)]
    if not files:
        say_once("sync_tensorboard: this process wrote no event files, so nothing of TensorBoard is recorded")
    if not outside:
        return
    root = os.path.commonpath([os.path.dirname(path) for path in outside])
    for path in outside:
        if os.path.getsize(path) > _most_bytes:
            say_once("sync_tensorboard: %s is large and is not recorded" % path)
            continue
        target = os.path.join(folder, os.path.relpath(path, root))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copyfile(path, target)


def _written_natively():
    """Files of writers that are no Python: they have the number of the process in their names."""
    mine = ".%d." % os.getpid()
    folders = 0
    for root in _roots or ["."]:
        for folder, inner, names in os.walk(root):
            inner[:] = [name for name in inner if not name.startswith(".")]
            folders += 1
            if folders > _most_folders:
                say_once("sync_tensorboard: too many folders to look through; name yours with wandb.tensorboard.patch(root_logdir=…)")
                return
            for name in names:
                if "tfevents" in name and mine in name:
                    yield os.path.abspath(os.path.join(folder, name))


# The first to be registered is the last to be called.
atexit.register(keep)
