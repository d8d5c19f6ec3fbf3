"""What assay says about the run, in environment variables."""

import json
import os


def _json(variable):
    try:
        value = json.loads(os.environ.get(variable) or "{}")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


_said = _json("ASSAY_WANDB")

module = _said.get("module", "shim")
#: The parameters that the sweep chose; nested as in its file.
config = _said["config"] if isinstance(_said.get("config"), dict) else _json("ASSAY_PARAMS")
project = _said.get("project")
entity = _said.get("entity")
sweep = _said.get("sweep")
run_id = os.environ.get("ASSAY_RUN_ID")
out_dir = os.environ.get("ASSAY_OUT_DIR") or "."
metrics_file = os.environ.get("ASSAY_METRICS_FILE")
