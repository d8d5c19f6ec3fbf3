"""A stand-in for a training: a loss that falls over epochs, lowest for Adam at a learning rate of 0.01."""

import argparse
import math
import time

import wandb

parser = argparse.ArgumentParser()
parser.add_argument("--learning_rate", type=float, default=0.01)
parser.add_argument("--optimizer", default="sgd")
parser.add_argument("--dropout", type=float, default=0.0)
parser.add_argument("--epochs", type=int, default=8)
parser.add_argument("--pause", type=float, default=0.0)
args = parser.parse_args()

with wandb.init(project="demo", config=args) as run:
    run.define_metric("epoch")
    run.define_metric("*", step_metric="epoch")
    config = run.config
    lowest = 0.1 + (math.log10(config.learning_rate) + 2) ** 2 / 4 + 0.2 * (config.dropout - 0.3) ** 2
    if config.optimizer == "sgd":
        lowest += 0.05
    for epoch in range(1, config.epochs + 1):
        run.log({"epoch": epoch, "train_loss": lowest / 2 + 1 / epoch, "val_loss": lowest + 0.5 / epoch})
        time.sleep(config.pause)
