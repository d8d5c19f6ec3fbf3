"""Sets of whole numbers, kept as intervals."""


class IntervalSet:
    """All whole numbers in some half-open intervals: add(2, 5) adds 2, 3 and 4."""

    def __init__(self):
        self._numbers = set()

    def add(self, start, end):
        self._numbers.update(range(start, end))

    def remove(self, start, end):
        self._numbers.difference_update(range(start, end))

    def __contains__(self, number):
        return number in self._numbers

    def __len__(self):
        return len(self._numbers)

    def intervals(self):
        """The fewest intervals that have these numbers, in ascending order, as pairs (start, end)."""
        found = []
        for number in sorted(self._numbers):
            if found and found[-1][1] == number:
                found[-1] = (found[-1][0], number + 1)
            else:
                found.append((number, number + 1))
        return found
