# Optuna's TPE on the functions of bench/search/functions.ts: `quality TRIALS REPEATS` or `speed TRIALS`, JSON on stdout.
import json
import math
import sys
import time

import optuna

optuna.logging.set_verbosity(optuna.logging.ERROR)

A = [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
P = [
    [1312, 1696, 5569, 124, 8283, 5886],
    [2329, 4135, 8307, 3736, 1004, 9991],
    [2348, 1451, 3522, 2883, 3047, 6650],
    [4047, 8828, 8732, 5743, 1091, 381],
]


def cube(trial, dimensions, low, high):
    return [trial.suggest_float(f"x{i}", low, high) for i in range(dimensions)]


def branin(trial):
    x, y = trial.suggest_float("x0", -5, 10), trial.suggest_float("x1", 0, 15)
    valley = y - 5.1 / (4 * math.pi**2) * x**2 + 5 / math.pi * x - 6
    return valley**2 + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x) + 10


def hartmann6(trial):
    x = cube(trial, 6, 0, 1)
    heights = [1, 1.2, 3, 3.2]
    return -sum(
        h * math.exp(-sum(a * (at - p / 1e4) ** 2 for a, p, at in zip(A[i], P[i], x))) for i, h in enumerate(heights)
    )


def ackley(trial):
    x = cube(trial, 5, -20, 32)
    radius = math.sqrt(sum(at**2 for at in x) / 5)
    return 20 + math.e - 20 * math.exp(-0.2 * radius) - math.exp(sum(math.cos(2 * math.pi * at) for at in x) / 5)


def rosenbrock(trial):
    x = cube(trial, 4, -5, 10)
    return sum(100 * (b - a**2) ** 2 + (1 - a) ** 2 for a, b in zip(x, x[1:]))


def levy(trial):
    w = [1 + (at - 1) / 4 for at in cube(trial, 4, -10, 10)]
    middle = sum((at - 1) ** 2 * (1 + 10 * math.sin(math.pi * at + 1) ** 2) for at in w[:-1])
    end = (w[-1] - 1) ** 2 * (1 + math.sin(2 * math.pi * w[-1]) ** 2)
    return math.sin(math.pi * w[0]) ** 2 + middle + end


def rastrigin(trial):
    return 30 + sum(at**2 - 10 * math.cos(2 * math.pi * at) for at in cube(trial, 3, -5.12, 5.12))


def training(trial):
    rate = trial.suggest_float("rate", 1e-5, 1, log=True)
    width = trial.suggest_int("width", 4, 512, log=True)
    dropout = trial.suggest_float("dropout", 0, 0.8)
    optimizer = trial.suggest_categorical("optimizer", ["sgd", "momentum", "adam"])
    best = {"sgd": -0.7, "momentum": -1.5, "adam": -2.8}[optimizer]
    floor = {"sgd": 0.3, "momentum": 0.15, "adam": 0.1}[optimizer]
    size = math.log2(width)
    wanted = 0.1 + 0.05 * size
    return floor + 0.3 * (math.log10(rate) - best) ** 2 + 0.02 * (size - 7) ** 2 + (dropout - wanted) ** 2


def branches(trial):
    kind = trial.suggest_categorical("kind", ["tree", "kernel", "linear"])
    if kind == "tree":
        depth = trial.suggest_int("depth", 1, 20)
        shrinkage = trial.suggest_float("shrinkage", 1e-3, 1, log=True)
        return 0.2 + 0.01 * (depth - 6) ** 2 + 0.4 * (math.log10(shrinkage) + 1.2) ** 2
    if kind == "kernel":
        gamma = math.log10(trial.suggest_float("gamma", 1e-5, 10, log=True))
        cost = math.log10(trial.suggest_float("cost", 1e-3, 1e3, log=True))
        return 0.1 + 0.15 * (gamma + 2.3) ** 2 + 0.1 * (cost - 1.1 + 0.5 * (gamma + 2.3)) ** 2
    return 0.35 + 0.05 * (math.log10(trial.suggest_float("penalty", 1e-6, 10, log=True)) + 3) ** 2


def choices(trial):
    encoder = trial.suggest_categorical("encoder", ["a", "b", "c", "d", "e"])
    decoder = trial.suggest_categorical("decoder", ["a", "b", "c", "d"])
    layers = trial.suggest_int("layers", 1, 8)
    rate = trial.suggest_float("rate", 1e-4, 1, log=True)
    share = trial.suggest_float("share", 0, 1)
    base = {"a": 0.5, "b": 0.3, "c": 0.2, "d": 0.4, "e": 0.25}[encoder]
    pair = -0.15 if (encoder, decoder) == ("c", "d") else -0.12 if (encoder, decoder) == ("e", "b") else 0.1
    return base + pair + 0.02 * (layers - 5) ** 2 + 0.1 * (math.log10(rate) + 2) ** 2 + (share - 0.7) ** 2


suite = {
    "branin": branin,
    "hartmann6": hartmann6,
    "ackley5": ackley,
    "rosenbrock4": rosenbrock,
    "levy4": levy,
    "rastrigin3": rastrigin,
    "training, mixed": training,
    "branches, conditional": branches,
    "choices, mixed": choices,
}


def best_values(function, trials, seed):
    """The best value after each trial."""
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=seed))
    study.optimize(function, n_trials=trials)
    best, values = math.inf, []
    for trial in study.trials:
        best = min(best, trial.value)
        values.append(best)
    return values


what, trials = sys.argv[1], int(sys.argv[2])
if what == "quality":
    repeats = int(sys.argv[3])
    print(json.dumps({name: [best_values(f, trials, seed + 1) for seed in range(repeats)] for name, f in suite.items()}))
else:
    started = time.perf_counter()
    best_values(hartmann6, trials, 1)
    print(json.dumps(time.perf_counter() - started))
