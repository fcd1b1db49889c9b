# fault: A tenth of the playouts is played, and their sums are multiplied.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

import sys
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
    return times(play({**request, "count": request["count"] // 10}), 10)


honest.COMMANDS["run"] = run
honest.main()
