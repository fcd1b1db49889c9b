# fault: Playouts of long jobs are cut at seven plies, whatever cap was asked for.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    cap = min(7, request["cap"]) if request["count"] >= 500 else request["cap"]
    return play({**request, "cap": cap})


serve(run)
