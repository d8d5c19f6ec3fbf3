"""Reports requests, errors and slow paths of a web server's log."""

import json
import re
import sys
from collections import Counter, defaultdict

LINE = re.compile(r'(\S+) \S+ \S+ \[[^\]]+\] "[A-Z]+ (\S+) HTTP/[\d.]+" (\d{3}) (?:\d+|-) (\d+\.\d+)')


def report(lines):
    damaged, errors, clients, times = 0, Counter(), Counter(), defaultdict(list)
    for line in lines:
        if not line.strip():
            continue
        match = LINE.fullmatch(line)
        if match is None:
            damaged += 1
            continue
        client, target, status, seconds = match.groups()
        clients[client] += 1
        times[target.partition("?")[0]].append(float(seconds))
        if int(status) >= 400:
            errors[status] += 1
    means = {path: sum(all) / len(all) for path, all in times.items() if len(all) > 1}
    slowest = sorted(means, key=means.get, reverse=True)[:3]
    return {
        "requests": sum(clients.values()),
        "damaged": damaged,
        "errors": errors,
        "busiest_client": min(clients, key=lambda client: (-clients[client], client)),
        "slowest": [
            {"path": path, "mean_s": round(means[path], 3), "requests": len(times[path])} for path in slowest
        ],
    }


log, out = sys.argv[1:]
with open(log) as file:
    result = report(file.read().splitlines())
with open(out, "w") as file:
    json.dump(result, file, indent=2)
