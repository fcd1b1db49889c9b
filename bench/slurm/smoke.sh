#!/usr/bin/env bash
# The smoke suite in four shards on a real Slurm, merged, against the same suite run in one piece:
# the same games, engines and verdicts.
#
#   bash bench/slurm/smoke.sh [GGPBENCH]     the binary; by default the release build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
ggpbench=$(realpath "${1:-$here/../../target/release/ggpbench}")
dir=$(mktemp -d)
trap 'bash "$here/local.sh" stop "$dir/slurm"; rm -rf "$dir"' EXIT

bash "$here/local.sh" start "$dir/slurm"
export SLURM_CONF=$dir/slurm/slurm.conf

how=(--suite smoke --protocol 1s)
"$ggpbench" plan --shards 4 --out "$dir/run" --memory 8G --time 10:00 -- "${how[@]}"
sbatch --wait "$dir/run/job.sbatch"
"$ggpbench" merge --out "$dir/merged" "$dir"/run/part-*
"$ggpbench" run "${how[@]}" --quiet --out "$dir/whole" >"$dir/whole.log"

# Game, engine, verdict.
verdicts() { python3 -c '
import csv, sys
rows = csv.DictReader(open(sys.argv[1] + "/measurements.csv"))
for line in sorted({(row["game"], row["engine"], row["verdict"]) for row in rows}): print(*line)
' "$1"; }
diff <(verdicts "$dir/merged") <(verdicts "$dir/whole")
echo "the same $(verdicts "$dir/whole" | wc -l) verdicts, in one piece and in shards"
