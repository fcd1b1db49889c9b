# fault: One random stream serves all playouts of a job, so that its sums depend on how it is split.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "engines" / "example"))

import tic_tac_toe as honest

play = honest.COMMANDS["run"]


class Shared:
    """In place of the module `random`: a generator for the job, whatever seed each playout asks for."""

    def __init__(self, request):
        self.stream = random.Random(request["seed"] << 64 | request["first"])

    def Random(self, seed):
        return self.stream


def run(request):
    honest.random = Shared(request)
    return play(request)


honest.COMMANDS["run"] = run
honest.main()
