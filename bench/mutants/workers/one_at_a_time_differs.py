# fault: Jobs of one playout are played to the end, long ones lack the last ply of each draw.
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
    if request["count"] >= 500:
        draws = sum(n for scores, n in answer["outcomes"] if scores == [50, 50])
        answer["plies"] -= draws
        answer["plies_squared"] -= 17 * draws
    return answer


honest.COMMANDS["run"] = run
honest.main()
