# fault: Both times are halved.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# harmless: yes

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "engines" / "example"))

import tic_tac_toe as honest

play = honest.COMMANDS["run"]


def run(request):
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    answer = play(request)
    return {
        **answer,
        "wall_ns": (time.perf_counter_ns() - wall) // 2,
        "cpu_ns": (time.process_time_ns() - cpu) // 2,
    }


honest.COMMANDS["run"] = run
honest.main()
