"""What the workers of Python peers share: the worker protocol, and the proof that it asks for.

A peer says what a game is (`Game`) and how it plays a job; requests, answers, walks, leaf counts and
fingerprints are here. `../../README.md` documents the protocol, and `fingerprint` follows
`../../play/src/tree.rs`. This module keeps to the standard library.
"""

import json
import os
import random
import sys

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


class Refused(Exception):
    """A request that cannot be met: its kind (`unsupported`, `unavailable`, `protocol`, ...), and why."""

    def __init__(self, kind, message):
        super().__init__(kind, message)
        self.kind = kind
        self.message = message


class OverBudget(Exception):
    """More positions would have to be visited than were allowed."""


class Budget:
    """Positions that a search may still visit."""

    def __init__(self, positions):
        self.left = positions

    def spend(self, positions=1):
        if self.left < positions:
            raise OverBudget
        self.left -= positions


class Game:
    """A loaded game. Positions are whatever the peer has; they are not changed once they were handed out.

    Positions are settled: where the mover has a forced pass and nothing else, the peer has passed
    already, and where chance is to act, it has acted.
    """

    #: Number of players.
    players = 2
    #: Whether chance has a say.
    chance = False
    #: How the rules differ from the catalogue's, where no option of the peer makes them equal; else empty.
    variant = ""
    #: More members for the answer to `load`.
    facts = {}

    def starts(self):
        """The positions that the game may begin with, each with its probability: a list of pairs."""
        raise NotImplementedError

    def turn(self, position):
        """Who moves, from 0; None if the game is over."""
        raise NotImplementedError

    def scores(self, position):
        """A list of integers, one a player, of a position that is over."""
        raise NotImplementedError

    def actions(self, position):
        """The legal actions in an order that the position determines; none if the game is over."""
        raise NotImplementedError

    def label(self, position, action):
        """The text of an action; one for each."""
        raise NotImplementedError

    def outcomes(self, position, action):
        """What an action leads to, with probabilities: a list of pairs of probability and position.
        `OverBudget` if these are too many for a list."""
        raise NotImplementedError

    def percepts(self, position):
        """What each player perceived of the last ply: a list of texts a player; [] if nothing is hidden."""
        return []

    def draw(self, position):
        """The position in text."""
        return str(position)

    def play(self, seed, first, count, cap, via):
        """Plays the ids `first .. first + count` and returns their `Tally`."""
        raise NotImplementedError


class Tally:
    """Sums over playouts."""

    def __init__(self):
        self.playouts = self.plies = self.plies_squared = self.capped = self.stuck = self.digest = 0
        self.outcomes = {}

    def add(self, identity, plies, scores):
        """A playout of so many plies; `scores` is a tuple, or None if the cap ended it."""
        self.playouts += 1
        self.plies += plies
        self.plies_squared += plies * plies
        if scores is None:
            self.capped += 1
        else:
            self.outcomes[scores] = self.outcomes.get(scores, 0) + 1
        # The hash of a tuple of integers depends on nothing else.
        self.digest += hash((identity, plies, scores or ()))

    def answer(self):
        return {
            "playouts": self.playouts,
            "plies": self.plies,
            "plies_squared": self.plies_squared,
            "capped": self.capped,
            "stuck": self.stuck,
            "outcomes": sorted([list(scores), n] for scores, n in self.outcomes.items()),
            "digest": f"{self.digest & MASK:016x}",
        }


def squares(rows, columns):
    """Labels of cells that are numbered row by row from the top."""
    files = "abcdefghijklmnopqrstuvwxyz"
    return [files[cell % columns] + str(rows - cell // columns) for cell in range(rows * columns)]


# ---- Hashes. ----


def mix(x):
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def stream(seed, identity):
    """64 bits that belong to a playout: all bits of the seed and of the id go into each."""
    return mix((mix((seed ^ GOLDEN) & MASK) + identity * GOLDEN) & MASK)


def hash_scores(scores):
    bits = len(scores)
    for score in scores:
        bits = ((bits ^ score & 0xFFFFFFFF) * GOLDEN) & MASK
    return mix(0x5C0E ^ mix(bits))


def hash_seen(percepts):
    """0 where nobody perceived anything."""
    seen = 0
    for player, texts in enumerate(percepts):
        for text in sorted(text.encode() for text in texts):
            bits = player + 1
            for byte in text:
                bits = ((bits ^ byte) * 0x100000001B3) & MASK
            seen = mix(seen ^ bits)
    return seen


def hash_node(turn, actions, children):
    """A position that is not over; `children` are the hashes of what its actions lead to, or None."""
    h = mix(turn << 32 | actions | 1 << 48)
    return h if children is None else fold(h, children)


def fold(h, children):
    for child in sorted(children):
        h = mix((h * GOLDEN & MASK) ^ child)
    return h


def hash_distribution(outcomes, start=0xD1CE):
    """Outcomes as pairs of probability and hash; equal hashes are put together."""
    if len(outcomes) == 1:
        return outcomes[0][1]
    together = {}
    for probability, h in sorted(outcomes, key=lambda pair: (pair[1], pair[0])):
        together[h] = together.get(h, 0.0) + probability
    result = start
    for h, probability in together.items():
        result = mix(mix(result ^ h) ^ int(probability * 1e9 + 0.5))
    return result


def fingerprint(game, position, depth, budget):
    """Hash of the tree below a position to `depth` plies."""
    budget.spend()
    seen = hash_seen(game.percepts(position))
    turn = game.turn(position)
    if turn is None:
        h = hash_scores(game.scores(position))
        return mix(h ^ seen) if seen else h
    actions = game.actions(position)
    h = mix(turn << 32 | len(actions) | 1 << 48)
    if seen:
        h = mix(h ^ seen)
    return fold(h, prints(game, position, depth, budget)) if depth > 0 else h


def prints(game, position, depth, budget):
    """For each action the fingerprint to `depth - 1` plies of what it leads to."""
    return [
        hash_distribution(
            [(p, fingerprint(game, child, depth - 1, budget)) for p, child in game.outcomes(position, action)]
        )
        for action in game.actions(position)
    ]


def count_below(game, position, counts, level, budget):
    """Adds the leaves below a position at distance `level` from the start."""
    if level == len(counts):
        return
    actions = game.actions(position)
    if level + 1 == len(counts) and not game.chance:
        budget.spend()
        counts[level] += len(actions)
        return
    for action in actions:
        for _, child in game.outcomes(position, action):
            budget.spend()
            counts[level] += 1
            count_below(game, child, counts, level + 1, budget)


# ---- The requests. ----


class Worker:
    """Serves one peer. `load(id)` makes the `Game` of a game of the catalogue, or refuses."""

    def __init__(self, engine, version, rng, load, broken=None):
        self.engine, self.version, self.rng, self.make, self.broken = engine, version, rng, load, broken
        self.game, self.simulations = None, 0
        self.trail, self.steps = [], []

    def hello(self, _):
        if self.broken:
            raise Refused("unavailable", self.broken)
        return {
            "protocol": 1,
            "engine": self.engine,
            "version": self.version,
            "languages": ["bitboard"],
            "rng": self.rng,
        }

    def load(self, request):
        self.game = None
        if request["language"] != "bitboard":
            raise Refused("unsupported", "it takes games by their id in the catalogue")
        self.game = self.make(request["text"].strip())
        self.trail, self.steps = [], []
        answer = {"players": self.game.players, "method": "listed", **self.game.facts}
        if self.game.chance:
            answer["chance"] = answer["outcomes"] = True
        if self.game.variant:
            answer["variant"] = self.game.variant
        self.simulations = 0
        if hasattr(self.game, "search"):
            self.simulations = request.get("simulations", 0)
        if self.simulations:
            record = getattr(self.game, "record", None)
            if record:
                record(request.get("recorded", []))
            prepare = getattr(self.game, "prepare", None)
            if prepare:
                prepare(self.simulations)
            answer.pop("distribution", None)
            answer["simulations"], answer["variant"] = self.simulations, self.game.searches
        return answer

    def run(self, request):
        if request.get("passes"):
            raise Refused("unsupported", "forced passes are no plies here")
        if request["via"] not in ("fast", "reference"):
            known = request["via"] in ("batch", "interpreted")
            raise Refused("unsupported" if known else "protocol", "it has one way to play")
        if request["threads"] != 1:
            raise Refused("unsupported", "it plays on one thread")
        job = (request[name] for name in ("seed", "first", "count", "cap", "via"))
        if self.simulations:
            if request["via"] == "reference":
                raise Refused("unsupported", "it has one way to search")
            return self.game.search(*job, self.simulations).answer()
        return self.game.play(*job).answer()

    def perft(self, request):
        if request.get("passes"):
            raise Refused("unsupported", "forced passes are no plies here")
        counts, budget = [0] * request["depth"], Budget(request["budget"])
        # Of the positions that chance may begin with, the first.
        start = self.game.starts()[0][1]
        try:
            own = getattr(self.game, "perft", None)
            if own:
                return own(start, request["depth"], budget)
            count_below(self.game, start, counts, 0, budget)
        except OverBudget:
            return None
        return counts

    def fingerprint(self, request):
        budget, depth = Budget(request["budget"]), request["depth"]
        try:
            starts = [(p, self.tree(start, depth, budget)) for p, start in self.game.starts()]
        except OverBudget:
            return None
        return f"{hash_distribution(starts, 0x57A7):016x}"

    def tree(self, position, depth, budget):
        """The peer's own way to hash a tree, where it has a quicker one."""
        own = getattr(self.game, "fingerprint", None)
        return own(position, depth, budget) if own else fingerprint(self.game, position, depth, budget)

    def walk(self, request):
        (odds, position), outcomes = self.follow(request["path"], request.get("chance", []))
        game = self.game
        turn, found = game.turn(position), None
        if request["depth"] > 0:
            budget = Budget(request["budget"])
            own = getattr(game, "prints", None)
            try:
                hashes = (
                    own(position, request["depth"], budget)
                    if own
                    else prints(game, position, request["depth"], budget)
                )
                found = [f"{h:016x}" for h in hashes]
            except OverBudget:
                pass
        answer = {
            "turn": turn,
            "scores": game.scores(position) if turn is None else None,
            "labels": [game.label(position, action) for action in game.actions(position)],
            "percepts": game.percepts(position),
            "prints": found,
            "draw": game.draw(position),
        }
        if request.get("chance"):
            answer["outcomes"], answer["odds"] = outcomes, odds
        return answer

    def follow(self, path, chance):
        """The last step of a path, by what the path has in common with the last one: the outcome of chance that
        it took, with its odds, and how many there were. Where nobody says what chance does, it is the first."""
        steps = list(zip([None, *path], chance or [0] * (len(path) + 1)))
        common = 0
        for old, new in zip(self.steps, steps):
            if old != new:
                break
            common += 1
        self.trail, self.steps = self.trail[:common], self.steps[:common]
        for number, outcome in steps[common:]:
            outcomes = self.outcomes(number)
            if outcome < len(outcomes):
                taken = outcomes[outcome]
            else:
                # A draw of its own.
                odds = [p for p, _ in outcomes]
                taken = (None, random.Random(outcome).choices(outcomes, odds)[0][1])
            self.trail.append((taken, len(outcomes)))
            self.steps.append((number, outcome))
        return self.trail[-1]

    def outcomes(self, number):
        """What an action leads to from the end of the trail, or the start of the game."""
        if number is None:
            return self.game.starts()
        position = self.trail[-1][0][1]
        actions = self.game.actions(position)
        if number >= len(actions):
            raise Refused("protocol", f"there are {len(actions)} actions, and none with number {number}")
        try:
            return self.game.outcomes(position, actions[number])
        except OverBudget:
            raise Refused("unsupported", "too many outcomes for a list") from None

    def answer(self, request):
        commands = ("hello", "load", "run", "perft", "fingerprint", "walk")
        try:
            command = request["cmd"]
            if command not in commands:
                raise Refused("unknown", f"no command {command}")
            if self.game is None and command not in ("hello", "load"):
                raise Refused("protocol", f"`{command}` before a game was loaded")
            return {"ok": getattr(self, command)(request)}
        except Refused as refusal:
            return {"error": {"kind": refusal.kind, "message": refusal.message}}


def serve(worker):
    """Answers requests until the input ends.

    Libraries may print as they like: what they print goes to standard error, and answers to the
    original standard output.
    """
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    for line in sys.stdin:
        answers.write(json.dumps(worker.answer(json.loads(line))) + "\n")
        answers.flush()


def broken_import(package, error):
    """Why a package cannot be used, and what to do."""
    text = " ".join(str(error).split())[:200]
    return (
        f"{package} cannot be imported ({type(error).__name__}: {text}); "
        f"`ggpbench peers install {package} --again` installs it anew"
    )


def version_of(distribution):
    """The installed version of a distribution, or `unknown`."""
    import importlib.metadata

    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


def wrong_version(package, found, wanted):
    """Why a version of a package is refused; None if it is the one that the adapter was written for."""
    if found == wanted:
        return None
    return (
        f"{package} {found} is installed, and the adapter is for {wanted}; "
        f"`ggpbench peers install {package} --again` installs that"
    )
