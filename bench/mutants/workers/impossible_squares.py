# fault: The sum of the squares of the plies is smaller than the plies allow.
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
    answer["plies_squared"] = answer["plies"] * answer["plies"] // answer["playouts"] - answer["playouts"]
    return answer


honest.COMMANDS["run"] = run
honest.main()
