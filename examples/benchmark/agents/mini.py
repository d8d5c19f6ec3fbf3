"""mini.py MODEL [TURNS]: an agent. The model answers with a shell block, its output goes back, until there is none."""

import json
import os
import re
import subprocess
import sys
import urllib.request

RULES = """You solve a task in the current folder. Answer with one block of shell commands between ```sh and ```;
its output comes back to you. When the task is solved, answer without a block."""


def ask(model, messages):
    request = urllib.request.Request(
        os.environ["OPENAI_BASE_URL"] + "/chat/completions",
        json.dumps({"model": model, "messages": messages, "max_tokens": 4000}).encode(),
        {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]


def run(commands):
    ended = subprocess.run(["sh", "-c", commands], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    return f"{(ended.stdout + ended.stderr)[-8000:]}\nexit code {ended.returncode}"


def main(model, turns="10"):
    messages = [{"role": "system", "content": RULES}, {"role": "user", "content": sys.stdin.read()}]
    for _ in range(int(turns)):
        answer = ask(model, messages)
        print(answer, flush=True)
        block = re.search(r"```sh\n(.*?)```", answer, re.DOTALL)
        if block is None:
            return
        messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": run(block[1])}]


main(*sys.argv[1:])
