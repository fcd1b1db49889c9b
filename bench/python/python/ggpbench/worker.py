"""Engines and agents of the harness in Python: the protocol is here, the game or the choice yours.

An engine is a :class:`Game`, with which :func:`run_engine` answers the harness; an agent is a
function, with which :func:`run_agent` answers ``ggpbench match``:

>>> from ggpbench import worker
>>> class Nim(worker.Game):
...     def initial(self): return (3, 0)
...     def turn(self, position): return position[1]
...     def scores(self, position):
...         return None if position[0] else ([0, 100], [100, 0])[position[1]]
...     def legal(self, position): return [n for n in (1, 2) if n <= position[0]]
...     def play(self, position, action): return (position[0] - action, 1 - position[1])
>>> session = worker.Session(lambda language, text, options: Nim())
>>> session.answer({"cmd": "load", "language": "bitboard", "text": "nim"})
{'ok': {'players': 2, 'method': 'listed', 'start': 0}}
>>> session.answer({"cmd": "perft", "depth": 3, "budget": 100})
{'ok': [2, 3, 1]}

A program ends with ``worker.run_engine(load, name="nim")``, where ``load`` makes the game. The
module needs nothing but Python: it works where the native part of the package was not built.
``engines/README.md`` documents the protocol of engines, ``bench/agents.md`` that of agents.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

__all__ = ["Game", "Refused", "Session", "run_agent", "run_engine"]

Position = Any
Action = Any
Request = dict[str, Any]
#: Makes the game that a text in a language describes, with options of the rules.
Load = Callable[[str, str, list[str]], "Game"]

_MASK = (1 << 64) - 1
#: More forced passes in a row than this, and the position has no plies.
_MOST_PASSES = 10_000
#: More outcomes of a ply than this are drawn and not numbered.
_MOST_OUTCOMES = 10_000
#: A game that can begin in more ways than this has no fingerprint.
_MOST_STARTS = 2000


class Refused(Exception):
    """A request that cannot be met: its kind, and why in one line. ``load`` raises
    ``Refused("unsupported", ...)`` for what the engine lacks, and ``Refused("invalid", ...)`` for
    faulty rules."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message


class Game:
    """The rules of a game. Positions and actions may be of any type; positions never change."""

    #: The number of players.
    players = 2
    #: True if :meth:`outcomes` has any.
    chance = False

    def initial(self) -> Position:
        """The first position."""
        raise NotImplementedError

    def turn(self, position: Position) -> int:
        """The player who acts, from 0."""
        raise NotImplementedError

    def scores(self, position: Position) -> Sequence[int] | None:
        """The score of each player if the game is over (100 for a win, 50 for a draw, 0 for a
        loss), else ``None``."""
        raise NotImplementedError

    def legal(self, position: Position) -> Sequence[Action]:
        """The legal actions where the game is not over, in an order that depends on the position
        alone."""
        raise NotImplementedError

    def play(self, position: Position, action: Action) -> Position:
        """The position after a legal action."""
        raise NotImplementedError

    def label(self, position: Position, action: Action) -> str:
        """The name of a legal action, best in neutral notation (``a1``, ``a2a3``, ``pass``)."""
        return str(action)

    def draw(self, position: Position) -> str:
        """The position as text, for people."""
        return str(position)

    def is_pass(self, position: Position, action: Action) -> bool:
        """True if an action is a pass. A pass that is the only legal action is no ply."""
        return self.label(position, action) == "pass"

    def outcomes(self, position: Position) -> Sequence[tuple[float, Position]]:
        """Where chance is to act: the probabilities of what it does, and the positions after it."""
        return ()

    def percepts(self, position: Position) -> Sequence[Sequence[str]] | None:
        """In games of hidden information: for each player what it perceived of the last ply."""
        return None


class _OverBudget(Exception):
    """More positions would have to be visited than were allowed."""


def _mix(x: int) -> int:
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & _MASK
    return x ^ x >> 31


def _bits(scores: Sequence[int]) -> int:
    bits = len(scores)
    for score in scores:
        bits = ((bits ^ score & 0xFFFFFFFF) * 0x9E3779B97F4A7C15) & _MASK
    return bits


def _visits(budget: int) -> Iterator[None]:
    yield from (None for _ in range(budget))
    raise _OverBudget


Outcomes = Sequence[tuple[float, Position]]


class _Node:
    """A position in which somebody acts or the game is over: forced passes and chance are behind
    it. One whose passes have no end has no actions."""

    def __init__(
        self,
        position: Position,
        scores: Sequence[int] | None,
        actions: Sequence[Action],
        ends: bool,
    ) -> None:
        self.position = position
        self.scores = scores
        self.actions = actions
        self.ends = ends


class _Tree:
    """What the protocol asks of a game. Its fingerprints are those of
    ``engines/play/src/tree.rs``."""

    def __init__(self, game: Game, initial: Callable[[], Position]) -> None:
        self.game = game
        self.initial = initial

    def _step(self, position: Position, passes: int) -> tuple[_Node | None, Position]:
        """The node of a position without outcomes, or the position behind a forced pass."""
        game = self.game
        scores = game.scores(position)
        actions = game.legal(position) if scores is None else ()
        if len(actions) == 1 and game.is_pass(position, actions[0]):
            if passes < _MOST_PASSES:
                return None, game.play(position, actions[0])
            return _Node(position, None, (), False), position
        return _Node(position, scores, actions, True), position

    def settle(self, position: Position, choose: Callable[[Outcomes], Position]) -> _Node:
        """The next node, where ``choose`` decides for chance."""
        passes = 0
        while True:
            if outcomes := self.game.outcomes(position):
                position = choose(outcomes)
                continue
            node, position = self._step(position, passes)
            if node is not None:
                return node
            passes += 1

    def nodes(self, position: Position, budget: Iterator[None]) -> Iterator[tuple[float, _Node]]:
        """All next nodes, each with its probability."""
        waiting = [(1.0, position, 0)]
        while waiting:
            odds, position, passes = waiting.pop()
            if outcomes := self.game.outcomes(position):
                next(budget)
                waiting += [(odds * share, after, passes) for share, after in reversed(outcomes)]
                continue
            node, position = self._step(position, passes)
            if node is not None:
                yield odds, node
            else:
                waiting.append((odds, position, passes + 1))

    def after(
        self, node: _Node, action: Action, budget: Iterator[None]
    ) -> Iterator[tuple[float, _Node]]:
        """All nodes that an action leads to, each with its probability."""
        return self.nodes(self.game.play(node.position, action), budget)

    def start(self) -> _Node:
        """The first node, as if chance always did the first that it can."""
        return self.settle(self.initial(), lambda outcomes: outcomes[0][1])

    def playout(self, rng: random.Random, cap: int) -> tuple[int, Sequence[int] | None, bool]:
        """The plies and scores of a random playout; true if it was given up at the cap."""
        choose = _draws(rng)
        node, plies = self.settle(self.initial(), choose), 0
        while node.actions and plies < cap:
            action = node.actions[rng.randrange(len(node.actions))]
            node = self.settle(self.game.play(node.position, action), choose)
            plies += 1
        cut = node.scores is None and (bool(node.actions) or not node.ends)
        return plies, node.scores, cut

    def count(self, node: _Node, counts: list[int], level: int, budget: Iterator[None]) -> None:
        """Adds the leaves below a node at distance ``level`` from the start."""
        if level == len(counts):
            return
        for action in node.actions:
            for _, child in self.after(node, action, budget):
                next(budget)
                counts[level] += 1
                self.count(child, counts, level + 1, budget)

    def fingerprint(self, node: _Node, depth: int, budget: Iterator[None]) -> int:
        """A hash of the tree below a node that does not look at labels."""
        next(budget)
        if node.scores is not None:
            return self._perceived(node, _mix(0x5C0E ^ _mix(_bits(node.scores))))
        turn = self.game.turn(node.position)
        h = self._perceived(node, _mix(turn << 32 | len(node.actions) | 1 << 48))
        for child in sorted(self.children(node, depth, budget)) if depth else ():
            h = _mix((h * 0x9E3779B97F4A7C15 & _MASK) ^ child)
        return h

    def children(self, node: _Node, depth: int, budget: Iterator[None]) -> list[int]:
        """For each action the fingerprint, to one ply less, of what it leads to."""
        prints = []
        for action in node.actions:
            hashes = [
                (self.fingerprint(child, depth - 1, budget), odds)
                for odds, child in self.after(node, action, budget)
            ]
            prints.append(hashes[0][0] if len(hashes) == 1 else _distribution(hashes))
        return prints

    def _perceived(self, node: _Node, h: int) -> int:
        bits = 0
        for player, texts in enumerate(self.game.percepts(node.position) or (), 1):
            for text in sorted(texts, key=str.encode):
                word = player
                for byte in text.encode():
                    word = ((word ^ byte) * 0x0100000001B3) & _MASK
                bits = _mix(bits ^ word)
        return _mix(h ^ bits) if bits else h


def _distribution(hashes: list[tuple[int, float]], total: int = 0xD1CE) -> int:
    """The hash of outcomes with their odds; equal outcomes are one."""
    odds_of: dict[int, float] = {}
    for h, odds in sorted(hashes):
        odds_of[h] = odds_of.get(h, 0.0) + odds
    for h, odds in odds_of.items():
        total = _mix(_mix(total ^ h) ^ int(odds * 1e9 + 0.5))
    return total


def _same(position: Position) -> Position:
    return position


def _draws(rng: random.Random) -> Callable[[Outcomes], Position]:
    """A choice among outcomes by their odds."""

    def choose(outcomes: Outcomes) -> Position:
        return rng.choices([after for _, after in outcomes], [odds for odds, _ in outcomes])[0]

    return choose


class Session:
    """An engine that answers requests, as dictionaries. :func:`run_engine` connects it to the
    harness."""

    def __init__(
        self,
        load: Load,
        name: str = "python",
        version: str = "1",
        languages: Sequence[str] = ("bitboard",),
    ) -> None:
        self._load = load
        self._hello: Request = {
            "protocol": 1,
            "engine": name,
            "version": version,
            "languages": list(languages),
            "rng": "mersenne-twister",
        }
        self._tree: _Tree | None = None

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a request."""
        commands = (self.hello, self.load, self.run, self.perft, self.fingerprint, self.walk)
        try:
            for command in commands:
                if command.__name__ == request.get("cmd"):
                    return {"ok": command(request)}
            raise Refused("unknown", f"no command {request.get('cmd')}")
        except _OverBudget:
            return {"ok": None}
        except Refused as refusal:
            return {"error": {"kind": refusal.kind, "message": refusal.message}}

    def _loaded(self, request: Request) -> _Tree:
        if self._tree is None:
            raise Refused("protocol", f"`{request['cmd']}` before a game was loaded")
        return self._tree

    def hello(self, _: Request) -> Request:
        """Name, version and languages."""
        return self._hello

    def load(self, request: Request) -> Request:
        """Loads a game, which may begin behind some plies."""
        self._tree = None  # a load that fails leaves no game
        game = self._load(request["language"], request["text"], request.get("options", []))
        tree = _Tree(game, game.initial)
        plies = request.get("start", [])
        for ply in plies:
            node = tree.start()
            named = {game.label(node.position, action): action for action in node.actions}
            if ply not in named:
                expected = ", ".join(named)
                raise Refused("invalid", f"`{ply}` is not legal: expected one of {expected}")
            after = game.play(node.position, named[ply])
            tree = _Tree(game, functools.partial(_same, after))
        self._tree = tree
        chance = {"chance": True, "outcomes": True} if game.chance else {}
        return {"players": game.players, "method": "listed", "start": len(plies), **chance}

    def run(self, request: Request) -> Request:
        """Plays random playouts."""
        tree = self._loaded(request)
        if request["via"] not in ("fast", "reference"):
            known = request["via"] in ("batch", "interpreted", "listed")
            kind = "unsupported" if known else "protocol"
            raise Refused(kind, f"no way to play called {request['via']} here")
        plies = plies_squared = capped = stuck = digest = 0
        outcomes: dict[tuple[int, ...], int] = {}
        for identity in range(request["first"], request["first"] + request["count"]):
            # Each playout owns its random stream, so a job may be split at will.
            rng = random.Random(request["seed"] << 64 | identity)
            length, scores, cut = tree.playout(rng, request["cap"])
            plies += length
            plies_squared += length * length
            capped += cut
            stuck += scores is None and not cut
            if scores is not None:
                outcomes[tuple(scores)] = outcomes.get(tuple(scores), 0) + 1
            # Any sum over playouts will do, as long as it depends on the seed and the ids alone.
            digest += _mix(_mix(identity) ^ _mix(length ^ _mix(_bits(scores or ()))))
        return {
            "playouts": request["count"],
            "plies": plies,
            "plies_squared": plies_squared,
            "capped": capped,
            "stuck": stuck,
            "digest": f"{digest & _MASK:016x}",
            "outcomes": sorted([list(scores), n] for scores, n in outcomes.items()),
        }

    def perft(self, request: Request) -> list[int]:
        """Counts the leaves at each depth."""
        tree = self._loaded(request)
        counts = [0] * request["depth"]
        tree.count(tree.start(), counts, 0, _visits(request["budget"]))
        return counts

    def fingerprint(self, request: Request) -> str:
        """The fingerprint of the game tree."""
        tree, budget = self._loaded(request), _visits(request["budget"])
        starts = itertools.islice(tree.nodes(tree.initial(), budget), _MOST_STARTS + 1)
        hashes = [(tree.fingerprint(node, request["depth"], budget), odds) for odds, node in starts]
        if len(hashes) > _MOST_STARTS:
            raise _OverBudget
        return f"{hashes[0][0] if len(hashes) == 1 else _distribution(hashes, 0x57A7):016x}"

    def walk(self, request: Request) -> Request:
        """Goes along a path, and shows the position there."""
        tree = self._loaded(request)
        numbers = iter(request.get("chance", []))
        node, seen = _outcome(tree, tree.initial(), next(numbers, 0))
        for number in request["path"]:
            if number >= len(node.actions):
                text = f"there are {len(node.actions)} actions, and none with number {number}"
                raise Refused("protocol", text)
            after = tree.game.play(node.position, node.actions[number])
            node, seen = _outcome(tree, after, next(numbers, 0))
        prints = None
        if request["depth"] > 0:
            with contextlib.suppress(_OverBudget):
                below = tree.children(node, request["depth"], _visits(request["budget"]))
                prints = [f"{h:016x}" for h in below]
        game, position = tree.game, node.position
        answer: Request = {
            "turn": game.turn(position) if node.scores is None else None,
            "scores": None if node.scores is None else list(node.scores),
            "labels": [game.label(position, action) for action in node.actions],
            "prints": prints,
            "draw": game.draw(position),
        }
        percepts = game.percepts(position)
        if percepts is not None:
            answer["percepts"] = [sorted(texts, key=str.encode) for texts in percepts]
        return answer | seen if game.chance else answer


def _outcome(tree: _Tree, position: Position, number: int) -> tuple[_Node, Request]:
    """The node that an outcome of chance leads to, by its number, and what there is to say of it.
    Of too many outcomes none has a number, and one is drawn."""
    rng = random.Random(number)
    try:
        nodes = list(tree.nodes(position, _visits(_MOST_OUTCOMES)))
    except _OverBudget:
        return tree.settle(position, _draws(rng)), {"outcomes": 0}
    if number >= len(nodes):
        number = rng.choices(range(len(nodes)), [odds for odds, _ in nodes])[0]
    odds, node = nodes[number]
    return node, {"outcomes": len(nodes), "odds": odds}


def _serve(answer: Callable[[Request], dict[str, Any]]) -> None:
    """Answers each line of standard input with one of standard output. What else is printed goes
    to standard error."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=out, flush=True)


def run_engine(
    load: Load,
    *,
    name: str = "python",
    version: str = "1",
    languages: Sequence[str] = ("bitboard",),
) -> None:
    """Serves the harness as an engine until the end of standard input.

    Args:
        load: makes a :class:`Game` of ``(language, text, options)``, or raises :class:`Refused`. In
            the language ``bitboard``, of games coded by hand, the text is the id of the game.
        name: the name of the engine.
        version: its version.
        languages: what it reads: ``lud``, ``kif``, ``rbg``, ``rg``, ``bitboard``.
    """
    _serve(Session(load, name, version, languages).answer)


def run_agent(choose: Callable[[Request, random.Random], str | dict[str, Any]]) -> None:
    """Serves ``ggpbench match`` and ``play`` as an agent until the end of standard input.

    Args:
        choose: gives one of ``request["legal"]``, or a dictionary with it as ``move`` and
            optionally ``simulations`` and ``values``. ``bench/agents.md`` lists the members of a
            request; here each has ``game``, the rules. The generator depends on seed, role and ply
            alone, so that matches can be repeated.
    """
    game: Any = None

    def answer(request: Request) -> dict[str, Any]:
        nonlocal game
        if request.get("cmd") != "choose" or request.get("protocol") != 1:
            return {"error": {"kind": "unknown", "message": f"cannot do {request.get('cmd')!r}"}}
        # The rules stand in the first request alone.
        game = request.setdefault("game", game)
        rng = random.Random(f"{request['seed']}/{request['player']}/{len(request['past'])}")
        move = choose(request, rng)
        return {"ok": move if isinstance(move, dict) else {"move": move}}

    _serve(answer)
