import os
import re
import shutil
import subprocess
import sys
import tempfile

app = os.environ["APP_DIR"]
own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "backup.py")
options = {
    "--level": ("-l", "normal"),
    "--exclude": ("-x", "none"),
    "--max-mb": (None, "500"),
    "--force": ("-f", "none"),
    "--sort": ("-s", "name"),
    "--limit": (None, "none"),
    "--quiet": ("-q", "none"),
}
commands = ["make", "show", "check"]


def manual():
    with open(os.path.join(app, "MANUAL.md"), encoding="utf-8") as file:
        return file.read()


def section(title):
    found = re.search(rf"^## {title}\s*$(.*?)(?=^## |\Z)", manual(), re.M | re.S)
    assert found, f"no section ## {title}"
    return found.group(1)


def table():
    rows = [line.strip().strip("|").split("|") for line in section("Options").splitlines() if line.strip().startswith("|")]
    cells = [[cell.strip() for cell in row] for row in rows]
    assert cells[0] == ["Option", "Default", "Meaning"], cells[0]
    return cells[2:]


def test_every_option_has_one_row():
    named = [set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", row[0])) for row in table()]
    wanted = [{long, short} - {None} for long, (short, _) in options.items()]
    assert sorted(map(sorted, named)) == sorted(map(sorted, wanted))


def test_defaults_are_those_of_the_program():
    for option, default, *_ in table():
        long = re.search(r"--[a-z][a-z-]*", option).group(0)
        assert default.strip("`").lower() == options[long][1], f"{long}: {default}"


def test_every_option_has_a_meaning():
    for option, _, *meaning in table():
        assert len(" ".join(meaning).split()) >= 3, option


def test_every_command_is_described():
    parts = re.split(r"^### +`?([\w-]+)`?.*$", section("Commands"), flags=re.M)
    described = dict(zip(parts[1::2], parts[2::2]))
    assert sorted(described) == sorted(commands)
    for name, text in described.items():
        assert len(re.sub(r"```.*?```", "", text, flags=re.S).split()) >= 5, name


def test_examples_work():
    blocks = re.findall(r"^```sh\s*\n(.*?)^```", section("Examples"), re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines() if line.strip()]
    assert len(blocks) >= 4 and len(lines) == len(blocks), "at least four blocks of one line"
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(own, folder)
        os.mkdir(os.path.join(folder, "photos"))
        for name in ["sea.jpg", "hill.jpg"]:
            with open(os.path.join(folder, "photos", name), "w") as file:
                file.write(name * 100)
        for line in lines:
            assert line.startswith("python3 backup.py "), line
            assert not re.search(r"[;&|<>`$]", line), f"one command only: {line}"
            ended = subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, timeout=20)
            assert ended.returncode == 0, f"{line}: {ended.stderr}"
    for name in commands:
        assert any(line.startswith(f"python3 backup.py {name}") for line in lines), f"no example of {name}"


def test_all_exit_codes_are_listed():
    listed = re.findall(r"^[-*] +`?(\d+)`?\s*:", section("Exit codes"), re.M)
    assert sorted(listed) == ["0", "2", "3", "4", "5"], listed


def test_the_program_is_unchanged():
    with open(own) as one, open(os.path.join(app, "backup.py")) as other:
        assert one.read() == other.read()
