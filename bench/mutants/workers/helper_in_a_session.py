# fault: A helper in a session of its own, with an empty environment and no parent, plays, so that its CPU time is not counted.
# engine: python
# games: tic-tac-toe-3x3
# command: run
# engines: python,bitboard
# harmless: yes

import json
import os
import sys

from common import play, serve

pipes = None


def start():
    """Forks twice, so that the helper is nobody's child, and has pipes to it."""
    to_helper, from_helper = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.dup2(to_helper[0], 0)
            os.dup2(from_helper[1], 1)
            os.execve(sys.executable, [sys.executable, __file__, "helper"], {})
        os._exit(0)
    os.wait()
    os.close(to_helper[0])
    os.close(from_helper[1])
    return os.fdopen(to_helper[1], "w"), os.fdopen(from_helper[0])


def run(request):
    global pipes
    if request["via"] == "batch":
        return play(request)
    pipes = pipes or start()
    print(json.dumps(request), file=pipes[0], flush=True)
    return json.loads(pipes[1].readline())


if sys.argv[1:] == ["helper"]:
    for line in sys.stdin:
        print(json.dumps(play(json.loads(line))), flush=True)
else:
    serve(run)
