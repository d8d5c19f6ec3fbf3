#!/bin/bash
set -eu
cat > "${APP_DIR:-/app}/dedup.py" <<'PY'
"""People without repetitions."""


def email_of(record):
    return (record.get("email") or "").strip().lower()


def phone_of(record):
    return "".join(character for character in (record.get("phone") or "") if character.isdigit())


def unique(records):
    """Joins records by their email and phone, each looked up once (union-find; the smaller index is the root)."""
    parents = list(range(len(records)))

    def root(index):
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    first = {}
    for index, record in enumerate(records):
        for key in [("email", email_of(record)), ("phone", phone_of(record))]:
            if key[1] == "":
                continue
            if key in first:
                low, high = sorted([root(first[key]), root(index)])
                parents[high] = low
            else:
                first[key] = index
    return [record for index, record in enumerate(records) if root(index) == index]
PY
