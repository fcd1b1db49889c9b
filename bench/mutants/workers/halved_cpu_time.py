# fault: The CPU time alone is halved.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "engines" / "example"))

import tic_tac_toe as honest

play = honest.COMMANDS["run"]


def run(request):
    answer = play(request)
    answer["cpu_ns"] //= 2
    return answer


honest.COMMANDS["run"] = run
honest.main()
