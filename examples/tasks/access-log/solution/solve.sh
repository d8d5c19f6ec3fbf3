#!/bin/sh
set -eu
app=${APP_DIR:-/app}
cp "$(dirname "$0")/report.py" "$app/report.py"
python3 "$app/report.py" "$app/access.log" "$app/report.json"
