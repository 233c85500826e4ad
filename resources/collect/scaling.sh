#!/bin/sh
# Measure what the computers of an allocation reach together: sbatch scaling.sh
#
# advisor must be installed at the same path on every node, with the same version of PyTorch.
#SBATCH --job-name=advisor-scaling
#SBATCH --nodes=$advisor_nodes
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --time=$advisor_limit
#SBATCH --output=advisor-scaling-%j.log
exec "${ADVISOR:-advisor}" --scaling --slurm --max-minutes $advisor_minutes --out "scaling-$SLURM_JOB_ID.json"
