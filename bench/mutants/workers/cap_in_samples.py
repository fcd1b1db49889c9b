# fault: All processes but that of the proof cut playouts at seven plies, whatever cap was asked for.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import is_first_process, play, serve


plays_fair = is_first_process()


def run(request):
    cap = request["cap"] if plays_fair else min(7, request["cap"])
    return play({**request, "cap": cap})


serve(run)
