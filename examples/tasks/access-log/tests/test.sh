#!/bin/sh
# The folders can be given, so that the tests can be tried without a container.
app=${APP_DIR:-/app}
tests=${TEST_DIR:-/tests}
logs=${LOG_DIR:-/logs/verifier}
mkdir -p "$logs"
python3 "$tests/check.py" "$app" "$tests" > "$logs/reward.json"
cat "$logs/reward.json"
