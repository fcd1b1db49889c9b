# fault: One random stream serves all playouts of a job, so that its sums depend on how it is split.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

import random

from common import honest, play, serve


class Shared:
    """In place of the module `random`: a generator for the job, whatever seed each playout asks for."""

    def __init__(self, request):
        self.stream = random.Random(request["seed"] << 64 | request["first"])

    def Random(self, seed):
        return self.stream


def run(request):
    honest.random = Shared(request)
    return play(request)


serve(run)
