import argparse
import os
import sys
import tarfile

LEVELS = {"fast": 1, "normal": 6, "small": 9}


def parse(words):
    parser = argparse.ArgumentParser(prog="backup.py")
    commands = parser.add_subparsers(dest="command", required=True)

    make = commands.add_parser("make")
    make.add_argument("folder")
    make.add_argument("archive")
    make.add_argument("-l", "--level", choices=LEVELS, default="normal")
    make.add_argument("-x", "--exclude", action="append", metavar="ENDING")
    make.add_argument("--max-mb", type=int, default=500)
    make.add_argument("-f", "--force", action="store_true")

    show = commands.add_parser("show")
    show.add_argument("archive")
    show.add_argument("-s", "--sort", choices=["name", "size"], default="name")
    show.add_argument("--limit", type=int)

    check = commands.add_parser("check")
    check.add_argument("archive")
    check.add_argument("folder")
    check.add_argument("-q", "--quiet", action="store_true")
    return parser.parse_args(words)


def files_below(folder):
    for place, _, names in os.walk(folder):
        for name in sorted(names):
            path = os.path.join(place, name)
            yield path, os.path.relpath(path, folder)


def make(folder, archive, level, exclude, max_mb, force, **_):
    if os.path.exists(archive) and not force:
        return 3
    wanted = [pair for pair in files_below(folder) if not pair[0].endswith(tuple(exclude or []))]
    if sum(os.path.getsize(path) for path, _ in wanted) > max_mb * 2**20:
        return 4
    with tarfile.open(archive, "w:gz", compresslevel=LEVELS[level]) as tar:
        for path, name in wanted:
            tar.add(path, name)
    return 0


def show(archive, sort, limit, **_):
    with tarfile.open(archive) as tar:
        members = sorted(tar, key=lambda member: (member.name if sort == "name" else -member.size))
    for member in members[:limit]:
        print(f"{member.size:>10}  {member.name}")
    return 0


def check(archive, folder, quiet, **_):
    with tarfile.open(archive) as tar:
        kept = {member.name: member.size for member in tar}
    now = {name: os.path.getsize(path) for path, name in files_below(folder)}
    changed = sorted(name for name in kept.keys() | now.keys() if kept.get(name) != now.get(name))
    if not quiet:
        print("\n".join(changed))
    return 5 if changed else 0


if __name__ == "__main__":
    given = parse(sys.argv[1:])
    sys.exit({"make": make, "show": show, "check": check}[given.command](**vars(given)))
