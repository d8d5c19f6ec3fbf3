"""Reads its parameters in every way that a sweep can pass them, and finds the same everywhere."""

import argparse
import json

import wandb

parser = argparse.ArgumentParser()
parser.add_argument("--settings", required=True)
parser.add_argument("--use-bias", action="store_true")
parser.add_argument("--model.width", type=int, dest="width")
parser.add_argument("--optimizer")
parser.add_argument("--home")
args = parser.parse_args()

run = wandb.init(project="demo")
with open(args.settings) as file:
    settings = json.load(file)
assert settings == dict(run.config), (settings, dict(run.config))
assert settings["use-bias"] == args.use_bias
assert settings["model.width"] == args.width
assert str(settings["optimizer"]) == args.optimizer, (settings, args.optimizer)

lr = run.config.optimizer["lr"]
run.summary["score"] = 1 - abs(lr - 0.1) - (0.05 if run.config.optimizer["name"] == "sgd" else 0)
table = wandb.Table(columns=["parameter", "value"])
for name, value in settings.items():
    table.add_data(name, value)
run.log({"settings": table})
