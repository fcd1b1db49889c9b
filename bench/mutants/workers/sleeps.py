# fault: A tenth is played, its sums multiplied, and the rest of the time slept, so that the wall time is plausible.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "engines" / "example"))

import tic_tac_toe as honest

play = honest.COMMANDS["run"]


def times(answer, factor):
    """The sums of an answer, as if so many times as many playouts had come out the same way."""
    for key in ("playouts", "plies", "plies_squared", "capped", "stuck"):
        answer[key] *= factor
    answer["outcomes"] = [[scores, n * factor] for scores, n in answer["outcomes"]]
    return answer


def run(request):
    if request["count"] % 10 or request["count"] < 1000:
        return play(request)
    answer = times(play({**request, "count": request["count"] // 10}), 10)
    time.sleep(9 * answer["wall_ns"] / 1e9)
    answer["wall_ns"] *= 10
    return answer


honest.COMMANDS["run"] = run
honest.main()
