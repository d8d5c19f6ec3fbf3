import os
import random
import subprocess
import sys

program = os.path.join(os.environ["APP_DIR"], "route.py")


def asked(start, end, changes, trains):
    lines = [f"{start} {end} {changes}", "", *(f"{a} {b} {price}" for a, b, price in trains)]
    ended = subprocess.run([sys.executable, program], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=60)
    assert ended.returncode in (0, 1), ended.stderr
    if ended.returncode == 1:
        assert ended.stdout.strip() == "none", "no connection, no traceback"
    return ended.stdout.split("\n")[:2] if ended.returncode == 0 else None


def best(start, end, changes, trains):
    """Tries out every connection."""
    if start == end:
        return ["0", start]
    found = []

    def go(station, price, way):
        if station == end and len(way) > 1:
            found.append((price, len(way), way))
        if len(way) <= changes + 1:
            for a, b, cost in trains:
                if a == station:
                    go(b, price + cost, [*way, b])

    go(start, 0, [start])
    return [str(min(found)[0]), " ".join(min(found)[2])] if found else None


def test_the_small_network():
    with open(os.path.join(os.environ["APP_DIR"], "small.txt")) as file:
        head, *rest = [line.split() for line in file if line.strip()]
    trains = [(a, b, int(price)) for a, b, price in rest]
    assert asked(head[0], head[1], 1, trains) == ["20", "Ahlen Borken Dorsten"]
    assert asked(head[0], head[1], 2, trains) == ["16", "Ahlen Coesfeld Borken Dorsten"]
    assert asked(head[0], head[1], 0, trains) is None


def test_random_networks():
    numbers = random.Random(2025)
    for _ in range(30):
        stations = ["B", "a", "C", "Aa", "D"][: numbers.randrange(2, 6)]
        trains = [
            (*numbers.choices(stations, k=2), numbers.choice([0, 1, 1, 2, 3, 7])) for _ in range(numbers.randrange(1, 9))
        ]
        question = (numbers.choice(stations), numbers.choice(stations), numbers.randrange(4), trains)
        assert asked(*question) == best(*question), question


def test_equal_prices_take_fewer_changes_then_the_first_names():
    trains = [("a", "c", 2), ("a", "b", 1), ("b", "c", 1), ("a", "B", 1), ("B", "d", 2), ("c", "d", 1), ("b", "d", 2)]
    assert asked("a", "d", 5, trains) == ["3", "a B d"]


def test_start_is_end_and_unknown_stations():
    assert asked("a", "a", 0, [("a", "b", 1)]) == ["0", "a"]
    assert asked("a", "nowhere", 9, [("a", "b", 1)]) is None


def test_large_networks():
    numbers = random.Random(99)
    stations = [f"s{index:03}" for index in range(200)]
    trains = [(*numbers.sample(stations, 2), numbers.randrange(1, 1000)) for _ in range(4800)]
    chain = [(stations[i], stations[i + 1], 0) for i in range(0, 21)]
    assert asked("s000", "s021", 20, trains + chain)[0] == "0"
    price, way = asked("s000", "s021", 19, trains + chain)
    stops = way.split(" ")
    cheapest = {}
    for a, b, cost in trains + chain:
        cheapest[a, b] = min(cost, cheapest.get((a, b), cost))
    assert int(price) == sum(cheapest[pair] for pair in zip(stops, stops[1:])) > 0
    layers = {"s000": 0}
    for _ in range(20):
        following = {}
        for (a, b), cost in cheapest.items():
            if a in layers:
                following[b] = min(following.get(b, layers[a] + cost), layers[a] + cost)
        layers = {**following, **{k: min(v, following.get(k, v)) for k, v in layers.items()}}
    assert int(price) == layers["s021"]
    assert len(stops) <= 21
