#!/bin/sh
# Check the nodes of a Slurm cluster, one report each, in a folder that all of them see.
#
#   sbatch --array=1-4 slurm.sh          # as many tasks as nodes
#   advisor --fleet reports
#
#SBATCH --job-name=advisor
#SBATCH --nodes=1
#SBATCH --exclusive
#SBATCH --time=00:05:00
#SBATCH --output=/dev/null
set -eu
folder=${ADVISOR_FOLDER:-reports}
number=${SLURM_ARRAY_TASK_ID:-0}
mkdir -p "$folder"
status=0
# The label is the task's number: a node's name stays out of the report.
"${ADVISOR:-advisor}" --report "$folder/task-$number.json" --label "task $number" --suite "${ADVISOR_SUITE:-quick}" || status=$?
# 3: a test failed; what was measured is in the report.
[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
