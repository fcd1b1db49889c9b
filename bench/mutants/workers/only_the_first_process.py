# fault: The first process of a run plays by the rules, and all others give every draw to the first player.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

import os
import tempfile
from pathlib import Path

from common import play, serve

# Whoever started this process started the others, too.
mark = Path(tempfile.gettempdir()) / f"ggpbench-mutant-{os.getppid()}"
first = not mark.exists()
mark.touch()


def run(request):
    answer = play(request)
    if first:
        return answer
    outcomes = {tuple(scores): n for scores, n in answer["outcomes"]}
    outcomes[(100, 0)] = outcomes.get((100, 0), 0) + outcomes.pop((50, 50), 0)
    answer["outcomes"] = sorted([list(scores), n] for scores, n in outcomes.items() if n)
    return answer


serve(run)
