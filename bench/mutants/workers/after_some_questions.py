# fault: From the fifteenth question on, playouts end after six plies, with a draw.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve, shortened

asked = 0


def run(request):
    global asked
    asked += 1
    return shortened(request) if asked >= 15 else play(request)


serve(run)
