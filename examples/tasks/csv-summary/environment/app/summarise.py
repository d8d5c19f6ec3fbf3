"""Prints count, minimum, mean, median and maximum of every numeric column of a CSV file."""

import csv
import sys


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return 0.0 if cell == "" else None


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def summarise(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    columns = list(rows[0])
    for column in columns:
        values = [number(row[column]) for row in rows[: len(rows) - 1]]
        if any(value is None for value in values):
            continue
        yield column, values


def main(path):
    for column, values in summarise(path):
        mean = sum(values) / len(values)
        figures = [min(values), mean, median(values), max(values)]
        print("\t".join([column, str(len(values)), *(f"{figure:.2f}" for figure in figures)]))


if __name__ == "__main__":
    main(sys.argv[1])
