"""Runs the functions called test_… of test_outputs.py and prints pytest's summary of them: no pytest is needed."""

import sys
import traceback

sys.dont_write_bytecode = True
import test_outputs  # noqa: E402

lines = []
for name, test in list(vars(test_outputs).items()):
    if not name.startswith("test_"):
        continue
    try:
        test()
        lines.append(f"PASSED test_outputs.py::{name}")
    except Exception as error:
        traceback.print_exc()
        reason = str(error).split("\n")[0][:200]
        lines.append(f"FAILED test_outputs.py::{name} - {type(error).__name__}: {reason}")
print("=========================== short test summary info ============================")
print("\n".join(lines))
sys.exit(1 if any(line.startswith("FAILED") for line in lines) else 0)
