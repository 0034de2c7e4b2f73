#!/bin/bash
# Joins the parts of slurm.sh once all of them are there.
#SBATCH --job-name=rulerun-merge
#SBATCH --time=00:10:00
set -euo pipefail

OUT=${OUT:-$PWD}

rulerun sim --merge "$OUT"/part-*.json --out "$OUT/whole.json"
