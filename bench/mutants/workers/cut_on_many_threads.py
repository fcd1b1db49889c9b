# fault: With more than two threads, playouts end after six plies, with a draw.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# arguments: --threads 1,4

from common import play, serve, shortened


def run(request):
    return shortened(request) if request["threads"] > 2 else play(request)


serve(run)
