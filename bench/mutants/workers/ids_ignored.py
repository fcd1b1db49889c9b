# fault: The ids have no say: every job plays the same playouts from the first on.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    return play({**request, "first": 0})


serve(run)
