#!/usr/bin/env python3
"""The worker protocol without a library, as an engine in another language would speak it.

It plays what tic_tac_toe.py plays, and answers one JSON object a line on standard output for each
JSON object a line on standard input. See ../README.md for every request and answer. An engine in
Python need not repeat this: see tic_tac_toe.py.
"""

import json
import random
import sys

GAME = "tic-tac-toe-3x3"
LINES = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]  # masks of the nine squares
FULL = 0o777
MASK = (1 << 64) - 1


# ---- The game: a position is (stones of player 0, stones of player 1, player to move). ----

START = (0, 0, 0)
begun = START  # or the position behind the plies that `load` names


def initial():
    return begun


def scores(position):
    """The scores if the game is over, else None."""
    for player, best in ((0, [100, 0]), (1, [0, 100])):
        if any(position[player] & line == line for line in LINES):
            return best
    return [50, 50] if position[0] | position[1] == FULL else None


def legal(position):
    """Squares that may be marked, in a fixed order; none when the game is over."""
    if scores(position) is not None:
        return []
    empty = FULL & ~(position[0] | position[1])
    return [square for square in range(9) if empty >> square & 1]


def play(position, square):
    stones = [position[0], position[1]]
    stones[position[2]] |= 1 << square
    return (stones[0], stones[1], 1 - position[2])


def label(square):
    """Neutral notation: file letter and rank number, a1 at the bottom left."""
    return "abc"[square % 3] + str(square // 3 + 1)


def draw(position):
    marks = ["O" if position[1] >> s & 1 else "X" if position[0] >> s & 1 else "." for s in range(9)]
    ranks = (f"{r + 1} " + " ".join(marks[3 * r:3 * r + 3]) for r in (2, 1, 0))
    return "\n".join(ranks) + "\n  a b c"


# ---- Proof: fingerprints of game trees, exactly as ../play/src/tree.rs defines them. ----


def mix(x):
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


class OverBudget(Exception):
    """More positions would have to be visited than were allowed."""


def visits(budget):
    """Yields so many times, once a position, and then is over budget."""
    yield from range(budget)
    raise OverBudget


def fingerprint(position, depth, budget):
    next(budget)
    result = scores(position)
    if result is not None:
        bits = len(result)
        for score in result:
            bits = ((bits ^ score & 0xFFFFFFFF) * 0x9E3779B97F4A7C15) & MASK
        return mix(0x5C0E ^ mix(bits))
    squares = legal(position)
    h = mix(position[2] << 32 | len(squares) | 1 << 48)
    if depth > 0:
        for child in sorted(fingerprint(play(position, s), depth - 1, budget) for s in squares):
            h = mix((h * 0x9E3779B97F4A7C15 & MASK) ^ child)
    return h


def count_below(position, counts, level, budget):
    """Adds the leaves below a position at distance `level` from the start."""
    if level == len(counts):
        return
    for square in legal(position):
        next(budget)
        counts[level] += 1
        count_below(play(position, square), counts, level + 1, budget)


# ---- The requests. ----

class Refused(Exception):
    """A request that cannot be met: its kind, and why in one line."""


def hello(_):
    return {"protocol": 1, "engine": "python-example", "version": "1", "languages": ["bitboard"],
            "rng": "mersenne-twister"}


def load(request):
    # A hand-coded engine gets the id of the game as its text.
    if request["language"] != "bitboard" or request["text"].strip() != GAME:
        raise Refused("unsupported", f"this example plays {GAME} only")
    global begun
    begun = START
    for ply in request.get("start", []):
        named = {label(square): square for square in legal(begun)}
        if ply not in named:
            raise Refused("invalid", f"`{ply}` is not legal: expected one of {', '.join(named)}")
        begun = play(begun, named[ply])
    return {"players": 2, "method": "listed", "start": len(request.get("start", []))}


def run(request):
    if request["via"] not in ("fast", "reference"):
        known = request["via"] in ("batch", "interpreted")
        kind = "unsupported" if known else "protocol"
        raise Refused(kind, f"no way to play called {request['via']} here")
    plies = plies_squared = capped = digest = 0
    outcomes = {}
    for identity in range(request["first"], request["first"] + request["count"]):
        # Each playout owns its random stream, so a job may be split at will.
        stream = random.Random(request["seed"] << 64 | identity)
        position, length = initial(), 0
        while (squares := legal(position)) and length < request["cap"]:
            position = play(position, squares[stream.randrange(len(squares))])
            length += 1
        result = scores(position)
        plies += length
        plies_squared += length * length
        if result is None:
            capped += 1
        else:
            outcomes[tuple(result)] = outcomes.get(tuple(result), 0) + 1
        # Any sum over playouts will do, as long as it depends on the seed and the ids alone.
        digest += mix(mix(identity) ^ mix(length * 1000 + (result or [7])[0]))
    return {"playouts": request["count"], "plies": plies, "plies_squared": plies_squared,
            "capped": capped, "stuck": 0, "digest": f"{digest & MASK:016x}",
            "outcomes": sorted([list(scores), n] for scores, n in outcomes.items())}


def perft(request):
    counts = [0] * request["depth"]
    count_below(initial(), counts, 0, visits(request["budget"]))
    return counts


def print_tree(request):
    return f"{fingerprint(initial(), request['depth'], visits(request['budget'])):016x}"


def walk(request):
    position = initial()
    for number in request["path"]:
        squares = legal(position)
        if number >= len(squares):
            raise Refused("protocol", f"there are {len(squares)} actions, and none with number {number}")
        position = play(position, squares[number])
    squares, result = legal(position), scores(position)
    prints = None
    if request["depth"] > 0:
        budget, below = visits(request["budget"]), request["depth"] - 1
        try:
            prints = [f"{fingerprint(play(position, s), below, budget):016x}" for s in squares]
        except OverBudget:
            pass
    return {"turn": position[2] if result is None else None, "scores": result, "prints": prints,
            "labels": [label(square) for square in squares], "draw": draw(position)}


COMMANDS = {"hello": hello, "load": load, "run": run, "perft": perft, "fingerprint": print_tree,
            "walk": walk}


def main():
    loaded = False
    for line in sys.stdin:
        request = json.loads(line)
        try:
            if request["cmd"] not in COMMANDS:
                raise Refused("unknown", f"no command {request['cmd']}")  # `kit` is optional
            if not loaded and request["cmd"] not in ("hello", "load"):
                raise Refused("protocol", f"`{request['cmd']}` before a game was loaded")
            loading = request["cmd"] == "load"
            loaded = loaded and not loading  # a `load` that fails leaves no game
            reply = {"ok": COMMANDS[request["cmd"]](request)}
            loaded = loaded or loading
        except OverBudget:
            reply = {"ok": None}
        except Refused as refusal:
            kind, message = refusal.args
            reply = {"error": {"kind": kind, "message": message}}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
