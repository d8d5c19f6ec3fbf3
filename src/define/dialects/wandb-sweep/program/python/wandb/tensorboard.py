"""`wandb.tensorboard`: what the program writes for TensorBoard is read by assay."""

from . import _tensorboard


def patch(save=True, tensorboard_x=None, pytorch=None, root_logdir=""):
    _tensorboard.sync(root_logdir)


def unpatch():
    pass


def log(*args, **kwargs):
    from ._say import say_once

    say_once("wandb.tensorboard.log does nothing here: write an event file, or use wandb.log")
