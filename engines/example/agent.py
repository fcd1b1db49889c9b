"""An agent as a program, for `ggpbench match` and `ggpbench play`: see bench/agents.md.

    cargo ggp match random 'program:python3 engines/example/agent.py' --games 10

It knows no game. It prefers actions that it has not taken yet, and draws among them; that is enough to
show all that an agent reads and writes.
"""

import json
import random
import sys


def choose(request):
    """The answer to a request: one of its labels."""
    taken = [ply["own"] for ply in request["past"] if ply["own"] is not None]
    fresh = [label for label in request["legal"] if label not in taken]
    # The same seed, role and ply give the same choice, so that matches can be repeated.
    rng = random.Random(f"{request['seed']}/{request['player']}/{len(request['past'])}")
    return {"move": rng.choice(fresh or request["legal"])}


def main():
    game = None
    for line in sys.stdin:
        request = json.loads(line)
        if request.get("cmd") != "choose" or request.get("protocol") != 1:
            answer = {"error": {"kind": "unknown", "message": f"cannot do {request.get('cmd')!r}"}}
        else:
            # The rules stand in the first request alone.
            game = request.get("game", game)
            answer = {"ok": choose(request)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
