# fault: In jobs of 100 playouts and more, one of 50 results is another one, always the same ones.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve, with_wrong_results


def run(request):
    return with_wrong_results(request, 50) if request["count"] >= 100 else play(request)


serve(run)
