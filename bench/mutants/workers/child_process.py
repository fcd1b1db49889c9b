# fault: A child process plays, whose CPU time is not counted.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# harmless: yes

import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "engines" / "example"))

import tic_tac_toe as honest

play = honest.COMMANDS["run"]
pool = None


def run(request):
    global pool
    if request["via"] == "batch":
        return play(request)
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    pool = pool or ProcessPoolExecutor(max_workers=1)
    answer = pool.submit(play, request).result()
    answer["wall_ns"] = max(1, time.perf_counter_ns() - wall)
    answer["cpu_ns"] = max(1, time.process_time_ns() - cpu)
    return answer


honest.COMMANDS["run"] = run
honest.main()
