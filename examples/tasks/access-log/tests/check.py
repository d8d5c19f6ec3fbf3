"""Prints a reward for each part of the report, and the mean of all of them as the reward."""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

app, tests = sys.argv[1:3]
form = re.compile(r'(\S+) \S+ \S+ \[[^\]]+\] "[A-Z]+ (\S+) HTTP/[\d.]+" (\d{3}) (?:\d+|-) (\d+\.\d+)')
parts = ["requests", "damaged", "errors", "busiest_client", "slowest"]


def expected(lines):
    matches = [form.fullmatch(line) for line in lines if line.strip()]
    requests = [match.groups() for match in matches if match]
    errors, clients, times = {}, {}, {}
    for client, target, status, seconds in requests:
        clients[client] = clients.get(client, 0) + 1
        times.setdefault(target.split("?")[0], []).append(float(seconds))
        if status >= "400":
            errors[status] = errors.get(status, 0) + 1
    means = [(path, sum(all) / len(all), len(all)) for path, all in times.items() if len(all) > 1]
    slowest = sorted(means, key=lambda one: -one[1])[:3]
    return {
        "requests": len(requests),
        "damaged": len(matches) - len(requests),
        "errors": errors,
        "busiest_client": min(clients, key=lambda client: (-clients[client], client)),
        "slowest": [{"path": path, "mean_s": round(mean, 3), "requests": count} for path, mean, count in slowest],
    }


def other_log(numbers):
    lines = ["", "not a request", '10.0.0.1 - - [x] "GET / HTTP/1.1" 200 1']
    paths = ["/a", "/b?x=1", "/b?x=2", "/c/d", "/once"]
    for second in range(300):
        path = paths[4] if second == 0 else numbers.choice(paths[:4])
        status, size = numbers.choice([(200, "17"), (204, "-"), (403, "9"), (502, "0")])
        client = f"10.1.{numbers.randrange(3)}.{numbers.randrange(3)}"
        time = numbers.uniform(0.001, 0.5 + 10 * (second == 0))
        stamp = f"01/Jan/2026:00:{second // 60:02}:{second % 60:02} +0000"
        lines.append(f'{client} - - [{stamp}] "PUT {path} HTTP/1.1" {status} {size} {time:.3f}')
    numbers.shuffle(lines)
    return lines


def report(lines, folder):
    log, out = os.path.join(folder, "some.log"), os.path.join(folder, "out.json")
    with open(log, "w") as file:
        file.write("\n".join(lines) + "\n")
    program = [sys.executable, os.path.join(app, "report.py"), log, out]
    subprocess.run(program, timeout=20, capture_output=True, check=True)
    with open(out) as file:
        return json.load(file)


def own_report():
    with open(os.path.join(app, "report.json")) as file:
        return json.load(file)


def is_same(got, wanted):
    """Sums in another order may round to the next number."""
    if isinstance(wanted, float):
        return isinstance(got, (int, float)) and abs(got - wanted) < 0.0011
    if isinstance(wanted, list):
        return isinstance(got, list) and len(got) == len(wanted) and all(map(is_same, got, wanted))
    if isinstance(wanted, dict):
        return isinstance(got, dict) and got.keys() == wanted.keys() and all(is_same(got[key], wanted[key]) for key in wanted)
    return got == wanted


def tried(make):
    try:
        return make()
    except Exception as error:
        print(f"no report: {error}", file=sys.stderr)
        return {}


numbers = random.Random(2025)
with open(os.path.join(tests, "access.log")) as file:
    given = file.read().splitlines()
cases = [(tried(own_report), expected(given))]
for _ in range(3):
    lines = other_log(numbers)
    with tempfile.TemporaryDirectory() as folder:
        cases.append((tried(lambda: report(lines, folder)), expected(lines)))
rewards = {}
for part in parts:
    right = [isinstance(got, dict) and part in got and is_same(got[part], wanted[part]) for got, wanted in cases]
    rewards[part] = 1.0 if all(right) else 0.0
print(json.dumps({"reward": sum(rewards.values()) / len(parts), **rewards}))
