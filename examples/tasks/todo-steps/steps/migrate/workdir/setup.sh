#!/bin/sh
# The old program wrote its files read-only.
set -eu
chmod 444 old.txt
rm -- "$0"
