# fault: The next job is guessed and played between requests.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# harmless: yes

import threading
import time

from common import play, serve

guessed = {}


def key(request):
    return tuple(request[name] for name in ("seed", "first", "count", "cap", "via"))


def guess(request):
    """Plays what is likely to be asked for next, while nobody counts."""
    following = {**request, "first": request["first"] + request["count"]}
    guessed.clear()
    guessed[key(following)] = play(following)


def run(request):
    wall, cpu = time.perf_counter_ns(), time.process_time_ns()
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join()
    answer = guessed.pop(key(request), None) or play(request)
    threading.Timer(0.001, guess, [request]).start()
    answer["wall_ns"] = max(1, time.perf_counter_ns() - wall)
    answer["cpu_ns"] = max(1, time.process_time_ns() - cpu)
    return answer


serve(run)
