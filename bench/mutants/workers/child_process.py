# fault: A child process plays, whose CPU time is not counted.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# harmless: yes

import time
from concurrent.futures import ProcessPoolExecutor

from common import play, serve

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


serve(run)
