"""Calls todo.py with a file of its own."""

import os
import subprocess
import sys
import tempfile


class Todo:
    def __init__(self, app):
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, "todo.json")
        self.program = [sys.executable, os.path.join(app, "todo.py")]

    def run(self, *words):
        env = {**os.environ, "TODO_FILE": self.file}
        return subprocess.run([*self.program, *words], env=env, capture_output=True, text=True, timeout=20)

    def said(self, *words):
        ended = self.run(*words)
        assert ended.returncode == 0, f"{words} ended with {ended.returncode}: {ended.stderr}"
        return ended.stdout.strip("\n")

    def refuses(self, *words):
        ended = self.run(*words)
        assert ended.returncode == 1, f"{words} must exit with 1, not {ended.returncode}"
        assert ended.stderr.strip(), f"{words} must say why"
        return ended.stderr

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path
