# fault: A tenth is played, its sums multiplied, and the rest of the time slept, so that the wall time is plausible.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

import time

from common import play, serve, tenfold


def run(request):
    if request["count"] < 500:
        return play(request)
    start = time.perf_counter()
    answer = tenfold(request)
    time.sleep(9 * (time.perf_counter() - start))
    return answer


serve(run)
