# fault: An answer counts one playout more than was asked for.
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
    return play({**request, "count": request["count"] + 1})


honest.COMMANDS["run"] = run
honest.main()
