import os
import subprocess
import tempfile

script = os.path.join(os.environ["APP_DIR"], "archive.sh")


class Place:
    def __init__(self, **files):
        self.folder = tempfile.TemporaryDirectory(prefix="some where ")
        self.inbox = os.path.join(self.folder.name, "in box")
        self.archive = os.path.join(self.folder.name, "deep", "archive dir")
        os.makedirs(self.inbox)
        for name, text in files.get("files", files).items():
            self.put(name, text)

    def put(self, name, text):
        with open(os.path.join(self.inbox, name), "w") as file:
            file.write(text)

    def run(self):
        words = ["sh", script, self.inbox, self.archive]
        return subprocess.run(words, capture_output=True, text=True, timeout=20, cwd="/")

    def archived(self):
        found = []
        for folder, _, names in os.walk(self.archive):
            found += [os.path.relpath(os.path.join(folder, name), self.archive) for name in names]
        return sorted(found)

    def index(self):
        with open(os.path.join(self.archive, "index.txt")) as file:
            return file.read().splitlines()


def dated(date):
    return f"date: {date}\nbody\n"


def test_moves_reports_and_writes_a_sorted_index():
    place = Place(files={"b.report": dated("2024-12-31"), "a.report": dated("2025-01-01"), "note.txt": dated("2025-01-01")})
    ended = place.run()
    assert ended.returncode == 0, ended.stderr
    assert place.archived() == ["2024/b.report", "2025/a.report", "index.txt"]
    assert place.index() == ["2024-12-31 b.report", "2025-01-01 a.report"]
    assert os.listdir(place.inbox) == ["note.txt"]
    with open(os.path.join(place.archive, "2024", "b.report")) as file:
        assert file.read() == dated("2024-12-31")


def test_names_with_spaces_stars_and_dashes():
    names = ["two words.report", "-n.report", "star * [x].report", "it's.report", "back\\slash.report"]
    place = Place(files={name: dated("2025-03-04") for name in names})
    ended = place.run()
    assert ended.returncode == 0, ended.stderr
    assert place.archived() == sorted([*(f"2025/{name}" for name in names), "index.txt"])
    assert sorted(place.index()) == sorted(f"2025-03-04 {name}" for name in names)


def test_a_second_run_adds_to_the_index():
    place = Place(files={"z.report": dated("2025-02-02")})
    assert place.run().returncode == 0
    place.put("a.report", dated("2025-02-02"))
    place.put("m.report", dated("2023-02-02"))
    assert place.run().returncode == 0
    assert place.index() == ["2023-02-02 m.report", "2025-02-02 a.report", "2025-02-02 z.report"]
    assert place.run().returncode == 0
    assert len(place.index()) == 3


def test_reports_without_a_date_stay_and_are_named():
    bad = {"none.report": "", "odd.report": "date: soon\n", "late.report": "body\ndate: 2025-01-01\n"}
    place = Place(files={**bad, "good one.report": dated("2025-05-05"), "short.report": "date: 2025-5-5\n"})
    ended = place.run()
    assert ended.returncode == 1
    for name in [*bad, "short.report"]:
        assert name in ended.stderr, name
    assert sorted(os.listdir(place.inbox)) == sorted([*bad, "short.report"])
    assert place.index() == ["2025-05-05 good one.report"]


def test_nothing_in_the_archive_is_overwritten():
    place = Place(files={"a.report": dated("2025-01-01")})
    place.run()
    place.put("a.report", "date: 2025-06-06\nanother\n")
    ended = place.run()
    assert ended.returncode == 1 and "a.report" in ended.stderr
    assert os.listdir(place.inbox) == ["a.report"]
    assert place.index() == ["2025-01-01 a.report"]
    with open(os.path.join(place.archive, "2025", "a.report")) as file:
        assert file.read() == dated("2025-01-01")


def test_an_inbox_without_reports_is_fine():
    place = Place(files={"x.txt": ""})
    os.makedirs(os.path.join(place.inbox, "folder.report"))
    ended = place.run()
    assert ended.returncode == 0, ended.stderr
    assert sorted(os.listdir(place.inbox)) == ["folder.report", "x.txt"]
