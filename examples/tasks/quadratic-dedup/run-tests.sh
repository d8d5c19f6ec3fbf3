#!/bin/bash
# TEST_DIR is /tests; both folders can be given, so that the tests can be tried without a container.
export APP_DIR=${APP_DIR:-/app}
exec python3 "${TEST_DIR:-/tests}/run_tests.py"
