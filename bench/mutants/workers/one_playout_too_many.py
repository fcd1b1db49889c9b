# fault: An answer counts one playout more than was asked for.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    return play({**request, "count": request["count"] + 1})


serve(run)
