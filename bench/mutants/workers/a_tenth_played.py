# fault: A tenth of the playouts is played, and their sums are multiplied.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve, tenfold


def run(request):
    return play(request) if request["count"] < 500 else tenfold(request)


serve(run)
