# fault: The process of the proof plays by the rules, and all others give every draw to the first player.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard

from common import is_first_process, play, serve


plays_fair = is_first_process()


def run(request):
    answer = play(request)
    if plays_fair:
        return answer
    outcomes = {tuple(scores): n for scores, n in answer["outcomes"]}
    outcomes[(100, 0)] = outcomes.get((100, 0), 0) + outcomes.pop((50, 50), 0)
    answer["outcomes"] = sorted([list(scores), n] for scores, n in outcomes.items() if n)
    return answer


serve(run)
