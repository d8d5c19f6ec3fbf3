"""Runs summarise.py on files that the agent has never seen, and compares with numbers worked out here."""

import csv
import os
import random
import statistics
import subprocess
import sys
import tempfile

app = sys.argv[1]


def expected(header, rows):
    lines = []
    for index, name in enumerate(header):
        cells = [row[index] for row in rows if row[index] != ""]
        try:
            values = [float(cell) for cell in cells]
        except ValueError:
            continue
        if not values:
            continue
        figures = [min(values), statistics.fmean(values), statistics.median(values), max(values)]
        lines.append("\t".join([name, str(len(values)), *(f"{figure:.2f}" for figure in figures)]))
    return lines


def printed(header, rows):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data.csv")
        with open(path, "w", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        program = [sys.executable, os.path.join(app, "summarise.py"), path]
        return subprocess.run(program, capture_output=True, text=True, timeout=20).stdout.splitlines()


def is_same(got, wanted):
    """Sums in another order may round to the next number."""
    if len(got) != len(wanted):
        return False
    for line, right in zip(got, wanted):
        cells, right_cells = line.split("\t"), right.split("\t")
        if len(cells) != len(right_cells) or cells[:2] != right_cells[:2]:
            return False
        for figure, right_figure in zip(cells[2:], right_cells[2:]):
            if len(figure.rpartition(".")[2]) != 2 or abs(float(figure) - float(right_figure)) > 0.0101:
                return False
    return True


def table(random_numbers, size):
    def cell():
        return "" if random_numbers.random() < 0.2 else f"{random_numbers.uniform(-50, 50):.3f}"

    rows = [[f"item, {number}", str(number * 4 - 7), cell(), cell(), ""] for number in range(size)]
    return ["name", "id", "first", "second", "nothing"], rows


random_numbers = random.Random(2025)
failures = 0
for size in [1, 2, 3, 4, 7, 10, 101]:
    header, rows = table(random_numbers, size)
    got, wanted = printed(header, rows), expected(header, rows)
    if not is_same(got, wanted):
        print(f"wrong for {size} rows:\n got {got}\n not {wanted}")
        failures += 1
mixed = (["a", "b"], [["1", "x"], ["2", "3"], ["", ""]])
if printed(*mixed) != ["a\t2\t1.00\t1.50\t1.50\t2.00"]:
    print(f"wrong for mixed columns: {printed(*mixed)}")
    failures += 1
sys.exit(1 if failures else 0)
