import os
import random
import sys

sys.path.insert(0, os.environ["APP_DIR"])
from dedup import unique  # noqa: E402


class Counted(dict):
    """Ends a function that reads too often, so that a slow one fails at once."""

    left = 0

    def _count(self, key):
        if key in ("email", "phone"):
            self._read(1)

    def _read(self, times):
        Counted.left -= times
        assert Counted.left >= 0, "email or phone was read more than 4 times per record"

    def get(self, key, default=None):
        self._count(key)
        return super().get(key, default)

    def __getitem__(self, key):
        self._count(key)
        return super().__getitem__(key)

    def items(self):
        self._read(2)
        return super().items()

    def values(self):
        self._read(2)
        return super().values()


def slow(records):
    """Colours every record by its group, again and again until nothing changes."""
    emails = [(record.get("email") or "").strip().lower() for record in records]
    phones = ["".join(filter(str.isdigit, record.get("phone") or "")) for record in records]
    group = list(range(len(records)))
    changed = True
    while changed:
        changed = False
        for i in range(len(records)):
            for j in range(i):
                same = (emails[i] and emails[i] == emails[j]) or (phones[i] and phones[i] == phones[j])
                if same and group[i] != group[j]:
                    group[i] = group[j] = min(group[i], group[j])
                    changed = True
    return [record for index, record in enumerate(records) if group[index] == index]


def people(numbers, count, names):
    def email():
        name = f"p{numbers.randrange(names)}@x.org"
        return numbers.choice([name, name.upper(), f" {name} ", "", None])

    def phone():
        digits = f"{numbers.randrange(names):05}"
        return numbers.choice([digits, f"({digits[:2]}) {digits[2:]}", "-", "", None])

    records = [{"id": index, "email": email(), "phone": phone()} for index in range(count)]
    for record in records:
        for field in ("email", "phone"):
            if record[field] is None and numbers.random() < 0.5:
                del record[field]
    return records


def test_same_people_as_before():
    numbers = random.Random(2025)
    for count in [0, 1, 2, 3, 5, 8, 13, 40]:
        for names in [2, 5, 30]:
            records = people(numbers, count, names)
            assert [one["id"] for one in unique(records)] == [one["id"] for one in slow(records)], records


def test_a_late_record_joins_earlier_ones():
    records = [
        {"id": 0, "email": "a@x.org", "phone": "1"},
        {"id": 1, "email": "b@x.org", "phone": "2"},
        {"id": 2, "email": "c@x.org", "phone": "3"},
        {"id": 3, "email": "C@x.org ", "phone": "2"},
    ]
    assert [one["id"] for one in unique(records)] == [0, 1]


def test_the_records_themselves_are_returned_unchanged():
    records = people(random.Random(7), 30, 10)
    copies = [dict(record) for record in records]
    kept = unique(records)
    assert records == copies
    assert all(any(one is record for record in records) for one in kept)


def counted(records):
    Counted.left = 8 * len(records)
    return [Counted(record) for record in records]


def test_fields_are_read_a_few_times_each():
    records = counted(people(random.Random(11), 3000, 4000))
    kept = unique(records)
    assert Counted.left < 8 * len(records), "nothing was read"
    assert len(kept) < len(records)


def test_a_long_chain_of_people():
    count = 20000
    chain = [{"id": n, "email": f"{n // 2}@x.org", "phone": f"{(n + 1) // 2 + 10**6}"} for n in range(count)]
    assert [one["id"] for one in unique(counted(chain))] == [0]
