"""An agent as a program, for `ggpbench match` and `ggpbench play`: see bench/agents.md.

    cargo ggp match random 'program:python3 engines/example/agent.py' --games 10

It knows no game. It prefers actions that it has not taken yet, and draws among them; that is enough to
show what an agent reads and answers.
"""

import sys
from pathlib import Path

# Where the package is not installed, its source in a checkout serves.
sys.path += [str(folder / "bench/python/python") for folder in Path(__file__).resolve().parents]
from ggpbench import worker


def choose(request, rng):
    """The answer to a request: one of its labels."""
    taken = [ply["own"] for ply in request["past"] if ply["own"] is not None]
    fresh = [label for label in request["legal"] if label not in taken]
    return rng.choice(fresh or request["legal"])


if __name__ == "__main__":
    worker.run_agent(choose)
