#!/bin/sh
# The folders can be given, so that the tests can be tried without a container.
app=${APP_DIR:-/app}
tests=${TEST_DIR:-/tests}
logs=${LOG_DIR:-/logs/verifier}
mkdir -p "$logs"
reward=0
if python3 "$tests/check.py" "$app"; then reward=1; fi
echo "$reward" > "$logs/reward.txt"
