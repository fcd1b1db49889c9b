# fault: The seed has no say: all runs play the same playouts.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    return play({**request, "seed": 7})


serve(run)
