# fault: Jobs of one playout are played to the end, long ones lack the last ply of each draw.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import play, serve


def run(request):
    answer = play(request)
    if request["count"] >= 500:
        draws = sum(n for scores, n in answer["outcomes"] if scores == [50, 50])
        answer["plies"] -= draws
        answer["plies_squared"] -= 17 * draws
    return answer


serve(run)
