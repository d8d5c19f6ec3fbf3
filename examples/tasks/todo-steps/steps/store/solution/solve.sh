#!/bin/sh
set -eu
cat > "${APP_DIR:-/app}/todo.py" <<'PY'
"""A to-do list for the command line."""

import json
import os
import sys


def load():
    try:
        with open(os.environ["TODO_FILE"]) as file:
            return json.load(file)
    except FileNotFoundError:
        return {"next": 1, "open": []}


def save(state):
    with open(os.environ["TODO_FILE"], "w") as file:
        json.dump(state, file)


def add(state, text):
    number = state["next"]
    state["open"].append([number, text])
    state["next"] += 1
    return number


def main(command, *words):
    state = load()
    if command == "add":
        print(add(state, *words))
    elif command == "list":
        for number, text in state["open"]:
            print(f"{number}\t{text}")
    elif command == "done":
        left = [entry for entry in state["open"] if str(entry[0]) != words[0]]
        if len(left) == len(state["open"]):
            sys.exit(f"no open entry has the number {words[0]}")
        state["open"] = left
    else:
        sys.exit(f"unknown command: {command}")
    save(state)


if __name__ == "__main__":
    main(*sys.argv[1:])
PY
