#!/bin/bash
# Games in parts, as a Slurm array: each task plays one part. README.md beside it says more.
#SBATCH --job-name=rulerun-sim
#SBATCH --array=1-20
#SBATCH --cpus-per-task=4
#SBATCH --mem=1G
#SBATCH --time=02:00:00
set -euo pipefail

RULESET=${RULESET:-parchis}
GAMES=${GAMES:-10000000}
SEED=${SEED:-1}
OUT=${OUT:-$PWD}

rulerun sim "$RULESET" --games "$GAMES" --seed "$SEED" --threads "${SLURM_CPUS_PER_TASK:-0}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "$OUT/part-$SLURM_ARRAY_TASK_ID.json"
