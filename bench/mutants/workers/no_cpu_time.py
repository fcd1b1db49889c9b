# fault: The CPU time is 0.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# harmless: yes

from common import play_claiming, serve


def run(request):
    return play_claiming(request, wall_share=1, cpu_share=0)


serve(run)
