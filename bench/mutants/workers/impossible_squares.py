# fault: The sum of the squares of the plies is smaller than the plies allow.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    answer = play(request)
    answer["plies_squared"] = answer["plies"] * answer["plies"] // answer["playouts"] - answer["playouts"]
    return answer


serve(run)
