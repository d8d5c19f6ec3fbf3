#!/bin/bash
set -eu
cat > "${APP_DIR:-/app}/route.py" <<'PY'
"""The cheapest connection with few changes: one round of Bellman-Ford for each train."""

import sys


def best(start, end, changes, trains):
    if start == end:
        return 0, [start]
    # The cheapest way to each station with exactly n trains; of equal ones, the one that sorts first.
    ways = {start: (0, [start])}
    found = []
    for _ in range(changes + 1):
        following = {}
        for origin, target, price in trains:
            if origin in ways:
                way = (ways[origin][0] + price, [*ways[origin][1], target])
                if target not in following or way < following[target]:
                    following[target] = way
        ways = following
        if end in ways:
            found.append((ways[end][0], len(ways[end][1]), ways[end][1]))
    if not found:
        return None
    price, _, way = min(found)
    return price, way


lines = [line.split() for line in sys.stdin if line.strip()]
start, end, changes = lines[0]
answer = best(start, end, int(changes), [(a, b, int(price)) for a, b, price in lines[1:]])
if answer is None:
    print("none")
    sys.exit(1)
print(answer[0])
print(" ".join(answer[1]))
PY
