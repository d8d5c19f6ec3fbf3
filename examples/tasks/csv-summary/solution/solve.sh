#!/bin/sh
set -eu
cat > "${APP_DIR:-/app}/summarise.py" <<'PY'
"""Prints count, minimum, mean, median and maximum of every numeric column of a CSV file."""

import csv
import statistics
import sys


def summarise(path):
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    for index, column in enumerate(header):
        cells = [row[index] for row in rows if row[index] != ""]
        try:
            values = [float(cell) for cell in cells]
        except ValueError:
            continue
        if values:
            yield column, values


def main(path):
    for column, values in summarise(path):
        figures = [min(values), statistics.fmean(values), statistics.median(values), max(values)]
        print("\t".join([column, str(len(values)), *(f"{figure:.2f}" for figure in figures)]))


if __name__ == "__main__":
    main(sys.argv[1])
PY
