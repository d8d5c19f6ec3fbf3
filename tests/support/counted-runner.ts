/**
 * A program that detects a runner which starts a run while an earlier attempt of it is still alive:
 * it leaves its pid, and looks whether the pid left before it still belongs to the same run.
 */
export const countedRunner = `#!/bin/sh
mark="$MARKS/$ASSAY_RUN_ID"
if [ -f "$mark" ] && grep -qas "ASSAY_RUN_ID=$ASSAY_RUN_ID" "/proc/$(cat "$mark")/environ"; then
  echo "$ASSAY_RUN_ID" >> "$MARKS/overlaps"
fi
echo $$ > "$mark"
sleep 0.1
echo '{"answer": 42}' >> "$ASSAY_METRICS_FILE"
`

export const countedExperiment = `
name: killed
target: { kind: command, command: [./runner.sh] }
factors: { x: [1, 2, 3, 4] }
seeds: 1..50
limits: { jobs: 2 }
metrics: { answer: {} }
`
