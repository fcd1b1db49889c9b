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


def tenfold(request):
    """A tenth of a job, as if ten times as many playouts had come out the same way, and its remainder."""
    tenth, remainder = divmod(request["count"], 10)
    answer = play({**request, "count": tenth})
    last = play({**request, "first": request["first"] + 10 * tenth, "count": remainder})
    for key in ("playouts", "plies", "plies_squared", "capped", "stuck"):
        answer[key] = answer[key] * 10 + last[key]
    outcomes = {tuple(scores): 10 * n for scores, n in answer["outcomes"]}
    for scores, n in last["outcomes"]:
        outcomes[tuple(scores)] = outcomes.get(tuple(scores), 0) + n
    answer["outcomes"] = sorted([list(scores), n] for scores, n in outcomes.items())
    return answer


def run(request):
    if request["count"] < 500:
        return play(request)
    start = time.perf_counter()
    answer = tenfold(request)
    time.sleep(9 * (time.perf_counter() - start))
    return answer


honest.COMMANDS["run"] = run
honest.main()
