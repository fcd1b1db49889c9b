"""Playouts side by side on JAX, for peers whose games are functions on arrays.

A job is one compiled loop: every lane plays a playout, and where a game's playouts differ much in length,
a lane that has finished one goes on with the next (`refill`). What a playout is depends on the seed and
its id alone: each draw is a hash of both, of the number of the draw and of the action, and the legal
action with the largest hash is taken. That is uniform, and one pass over the mask.
"""

import functools
import os

# One thread: rates are per CPU second, and the harness shares cores out by processes.
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)

import jax
import jax.numpy as jnp
import numpy as np
from protocol import GOLDEN, MASK, Game, Refused, Tally, fold, hash_scores, mix

#: Playouts of a job that is too short to fill the lanes.
FEW = 16
#: Positions that a search steps at once.
CHUNK = 256
#: Playouts of one call where lanes go on with the next one, for each lane.
FILLS = 16


def fmix(x):
    """The finaliser of MurmurHash3 (Appleby): a permutation of 32 bits."""
    x = (x ^ x >> 16) * jnp.uint32(0x85EBCA6B)
    x = (x ^ x >> 13) * jnp.uint32(0xC2B2AE35)
    return x ^ x >> 16


def draw(keys, turns, mask):
    """For each lane the legal action with the largest hash."""
    words = fmix(keys[:, 0] + turns * jnp.uint32(0x9E3779B9)) ^ keys[:, 1]
    numbers = jnp.arange(mask.shape[1], dtype=jnp.uint32) * jnp.uint32(0x85EBCA77)
    hashes = fmix(fmix(words[:, None] + numbers[None, :]) + words[:, None])
    return jnp.argmax(jnp.where(mask, hashes | 1, 0), axis=1).astype(jnp.int32)


def select(condition, yes, no):
    """Trees of arrays, lane by lane."""

    def one(a, b):
        return jnp.where(condition.reshape(condition.shape + (1,) * (a.ndim - 1)), a, b)

    return jax.tree.map(one, yes, no)


class Rules:
    """A game of a peer as functions on one state; they are traced by JAX."""

    #: Number of players.
    players = 2
    #: The action that passes, which is no ply where nothing else is legal; None if there is none.
    passing = None
    #: Lanes that the peer is quickest with on a CPU, and whether finished lanes go on.
    lanes, refill = 1024, False
    #: Whether chance deals at the start: then `start` depends on its key.
    chance = False

    def start(self, key):
        """The state that a playout begins with; `key` is two words of random bits."""
        raise NotImplementedError

    def step(self, state, action):
        """The state after an action."""
        raise NotImplementedError

    def mask(self, state):
        """Whether each action is legal."""
        raise NotImplementedError

    def over(self, state):
        """Whether the game has ended."""
        raise NotImplementedError

    def turn(self, state):
        """Who moves, from 0."""
        raise NotImplementedError

    def scores(self, state):
        """Integers, one a player, of a state that is over."""
        raise NotImplementedError

    def label(self, state, action):
        """The text of an action; not traced, and the state has no leading axis."""
        return str(int(action))


def streams(seed, first, count):
    """Two words for each id; `protocol.stream` on arrays."""

    def mixed(x):
        x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        return x ^ x >> np.uint64(31)

    ids = np.arange(count, dtype=np.uint64) + np.uint64(first)
    bits = mixed(np.uint64(mix((seed ^ GOLDEN) & MASK)) + ids * np.uint64(GOLDEN))
    return np.stack([bits & np.uint64(0xFFFFFFFF), bits >> np.uint64(32)], axis=1).astype(np.uint32)


class LaneGame(Game):
    """A game on lanes."""

    def __init__(self, rules, variant=""):
        self.rules, self.variant = rules, variant
        self.players, self.chance = rules.players, rules.chance
        self.facts = {"build": {"lanes": rules.lanes}}
        self.vstep = jax.vmap(rules.step)
        # Compiled here, so that it counts as compile time and not as playing.
        self.programs = {
            lanes: self.compile(lanes) for lanes in sorted({min(FEW, rules.lanes), rules.lanes})
        }

    # ---- Playouts. ----

    def room(self, lanes):
        """Playouts of one call."""
        return lanes * FILLS if self.rules.refill and lanes == self.rules.lanes else lanes

    def compile(self, lanes):
        keys = jnp.zeros((self.room(lanes), 2), jnp.uint32)
        body = self.refilling if self.room(lanes) > lanes else self.together
        return jax.jit(functools.partial(body, lanes)).lower(keys, jnp.int32(1), jnp.int32(1)).compile()

    def begin(self, keys):
        return jax.vmap(self.rules.start)(keys)

    def view(self, state):
        """Mask, forced passes and ends of all lanes."""
        rules = self.rules
        mask, over = jax.vmap(rules.mask)(state), jax.vmap(rules.over)(state)
        if rules.passing is None:
            return mask, jnp.zeros_like(over), over
        return mask, mask[:, rules.passing] & (mask.sum(axis=1) == 1), over

    def together(self, lanes, keys, count, cap):
        """Lanes that begin together, until the last has ended."""
        alive = jnp.arange(lanes) < count

        def goes_on(carry):
            return carry[1].any()

        def ply(carry):
            # Lanes that have ended step on, and nobody looks at what comes of it.
            state, alive, plies, capped, scores, turn = carry
            mask, forced, _ = self.view(state)
            stops = alive & ~forced & (plies >= cap)
            alive = alive & ~stops
            state = self.vstep(state, draw(keys, jnp.full(lanes, turn, jnp.uint32), mask))
            plies = plies + (alive & ~forced)
            ended = alive & jax.vmap(self.rules.over)(state)
            scores = jnp.where(ended[:, None], jax.vmap(self.rules.scores)(state), scores)
            return state, alive & ~ended, plies, capped | stops, scores, turn + 1

        plies = jnp.zeros(lanes, jnp.int32)
        scores = jnp.zeros((lanes, self.players), jnp.int32)
        carry = (self.begin(keys), alive, plies, jnp.zeros(lanes, bool), scores, jnp.uint32(0))
        return jax.lax.while_loop(goes_on, ply, carry)[2:5]

    def refilling(self, lanes, keys, count, cap):
        """Lanes that go on with the next playout when theirs has ended."""
        room = keys.shape[0]
        rules = self.rules

        def goes_on(carry):
            return (carry[1] < count).any()

        def ply(carry):
            state, ids, fresh, plies, turns, all_plies, all_capped, all_scores = carry
            mask, forced, _ = self.view(state)
            alive = ids < count
            stops = alive & ~forced & (plies >= cap)
            action = draw(keys[jnp.minimum(ids, room - 1)], turns, mask)
            state = self.vstep(state, action)
            plies = plies + (alive & ~stops & ~forced)
            ended = alive & (stops | jax.vmap(rules.over)(state))
            place = jnp.where(ended, ids, room)
            all_plies = all_plies.at[place].set(plies, mode="drop")
            all_capped = all_capped.at[place].set(stops, mode="drop")
            all_scores = all_scores.at[place].set(jax.vmap(rules.scores)(state), mode="drop")
            ids = jnp.where(ended, fresh + jnp.cumsum(ended) - 1, ids)
            fresh = fresh + ended.sum()
            state = select(ended, self.begin(keys[jnp.minimum(ids, room - 1)]), state)
            plies, turns = jnp.where(ended, 0, plies), jnp.where(ended, 0, turns + 1)
            return state, ids, fresh, plies, turns, all_plies, all_capped, all_scores

        carry = (
            self.begin(keys[:lanes]),
            jnp.arange(lanes),
            jnp.int32(lanes),
            jnp.zeros(lanes, jnp.int32),
            jnp.zeros(lanes, jnp.uint32),
            jnp.zeros(room, jnp.int32),
            jnp.zeros(room, bool),
            jnp.zeros((room, rules.players), jnp.int32),
        )
        return jax.lax.while_loop(goes_on, ply, carry)[-3:]

    def by_steps(self, keys, cap):
        """The same playouts with one call for each ply: what positions and looks show, and no loop."""
        size, lanes = len(keys), self.chunk(len(keys))
        keys = np.resize(keys, (lanes, 2))
        state = jax.tree.map(np.asarray, self.begin(keys))
        mask, forced, _, _, _ = (np.asarray(column) for column in self.look(state))
        alive, capped = np.ones(lanes, bool), np.zeros(lanes, bool)
        plies, scores = np.zeros(lanes, np.int64), np.zeros((lanes, self.players), np.int32)
        turn = 0
        while alive.any():
            stops = alive & ~forced & (plies >= cap)
            alive, capped = alive & ~stops, capped | stops
            action = self.drawn(keys, np.full(lanes, turn, np.uint32), mask)
            plies += alive & ~forced
            state, view = self.many(state, action)
            mask, forced, over, _, reached = (np.asarray(column) for column in view)
            scores = np.where((alive & over)[:, None], reached, scores)
            alive = alive & ~over
            turn += 1
        return plies[:size], capped[:size], scores[:size]

    @functools.cached_property
    def drawn(self):
        return jax.jit(draw)

    def play(self, seed, first, count, cap, via):
        tally = Tally()
        cap = min(cap, 2**31 - 1)
        while via == "reference" and count > 0:
            part = min(count, CHUNK)
            add_all(tally, first, *self.by_steps(streams(seed, first, part), cap))
            first, count = first + part, count - part
        while count > 0:
            lanes = min(self.programs) if count <= min(self.programs) else max(self.programs)
            part = min(count, self.room(lanes))
            keys = np.zeros((self.room(lanes), 2), np.uint32)
            keys[:part] = streams(seed, first, part)
            found = self.programs[lanes](keys, np.int32(part), np.int32(cap))
            add_all(tally, first, *(np.asarray(column)[:part] for column in found))
            first, count = first + part, count - part
        return tally

    # ---- Positions: trees of arrays with a leading axis, and what there is to see of each. ----

    @functools.cached_property
    def look(self):
        def look(state):
            mask, forced, over = self.view(state)
            turn, scores = jax.vmap(self.rules.turn)(state), jax.vmap(self.rules.scores)(state)
            return mask, forced & ~over, over, turn, scores

        return jax.jit(look)

    @functools.cached_property
    def many(self):
        """Steps a chunk of states, and looks at what comes of it."""

        def many(state, action):
            state = self.vstep(state, action)
            return state, self.look(state)

        return jax.jit(many)

    def after(self, states, parents, actions):
        """What actions of states (by number) lead to, settled: states and their looks, as numpy arrays."""
        parts = []
        for at in range(0, len(actions), CHUNK):
            chosen = np.resize(parents[at : at + CHUNK], self.chunk(len(actions)))
            acts = np.resize(actions[at : at + CHUNK], self.chunk(len(actions))).astype(np.int32)
            state, view = self.many(jax.tree.map(lambda a: a[chosen], states), acts)
            while np.asarray(view[1]).any():
                forced = view[1]
                passed, seen = self.many(state, np.full(len(acts), self.rules.passing, np.int32))
                state, view = select(forced, passed, state), select(forced, seen, view)
            size = min(CHUNK, len(actions) - at)
            parts.append(jax.tree.map(lambda a: np.asarray(a)[:size], (state, view)))
        return jax.tree.map(lambda *arrays: np.concatenate(arrays), *parts)

    @staticmethod
    def chunk(size):
        """Few sizes, since each is compiled anew."""
        return 1 if size == 1 else CHUNK

    def starts(self):
        state = jax.tree.map(np.asarray, self.begin(np.zeros((1, 2), np.uint32)))
        return [(1.0, (state, jax.tree.map(np.asarray, self.look(state))))]

    def turn(self, position):
        _, _, over, turn, _ = position[1]
        return None if over[0] else int(turn[0])

    def scores(self, position):
        return [int(score) for score in position[1][4][0]]

    def actions(self, position):
        mask, _, over, _, _ = position[1]
        return [] if over[0] else [int(action) for action in np.flatnonzero(mask[0])]

    def label(self, position, action):
        return self.rules.label(jax.tree.map(lambda a: a[0], position[0]), action)

    def outcomes(self, position, action):
        return [(1.0, self.after(position[0], np.zeros(1, int), np.array([action])))]

    def draw(self, position):
        return ""

    # ---- Trees, a few hundred positions at once: large steps, and no more memory than those need. ----

    def expand(self, states, view, budget):
        """All children of a batch of positions: the parent of each, and states and looks."""
        mask = view[0] & ~view[2][:, None]
        parents, actions = np.nonzero(mask)
        budget.spend(len(parents))
        if len(parents) == 0:
            return parents, None, None
        return parents, *self.after(states, parents, actions)

    @staticmethod
    def parts(states, view):
        """A batch of positions, a chunk at a time."""
        for at in range(0, len(view[2]), CHUNK):
            yield jax.tree.map(lambda a: a[at : at + CHUNK], (states, view))

    def hashes(self, states, view, depth, budget):
        """The fingerprints of a batch of positions."""
        return [h for part in self.parts(states, view) for h in self.hashes_of_part(*part, depth, budget)]

    def hashes_of_part(self, states, view, depth, budget):
        mask, _, over, turn, scores = view
        found = [
            hash_scores([int(score) for score in scores[i]])
            if over[i]
            else mix(int(turn[i]) << 32 | int(mask[i].sum()) | 1 << 48)
            for i in range(len(over))
        ]
        if depth == 0:
            return found
        parents, below, seen = self.expand(states, view, budget)
        if below is None:
            return found
        children = [[] for _ in found]
        for parent, h in zip(parents, self.hashes(below, seen, depth - 1, budget)):
            children[parent].append(h)
        return [h if over[i] else fold(h, children[i]) for i, h in enumerate(found)]

    def fingerprint(self, position, depth, budget):
        budget.spend()
        return self.hashes(*position, depth, budget)[0]

    def prints(self, position, depth, budget):
        _, below, seen = self.expand(*position, budget)
        return [] if below is None else self.hashes(below, seen, depth - 1, budget)

    def perft(self, position, depth, budget):
        counts = [0] * depth
        self.count(*position, 0, counts, budget)
        return counts

    def count(self, states, view, level, counts, budget):
        """Adds the leaves below a batch of positions at distance `level` from the start."""
        for states, view in self.parts(states, view):
            if level + 1 == len(counts):
                counts[level] += int((view[0] & ~view[2][:, None]).sum())
                continue
            parents, below, seen = self.expand(states, view, budget)
            counts[level] += len(parents)
            if below is not None:
                self.count(below, seen, level + 1, counts, budget)


def add_all(tally, first, plies, capped, scores):
    """Adds a part of a job to a tally."""
    plies = plies.astype(np.uint64)
    tally.playouts += len(plies)
    tally.plies += int(plies.sum())
    tally.plies_squared += int((plies * plies).sum())
    tally.capped += int(capped.sum())
    rows, counts = np.unique(scores[~capped], axis=0, return_counts=True)
    for row, n in zip(rows, counts):
        key = tuple(int(score) for score in row)
        tally.outcomes[key] = tally.outcomes.get(key, 0) + int(n)
    ids = np.arange(len(plies), dtype=np.uint64) + np.uint64(first)
    ending = np.where(capped, 0x7777, scores[:, 0]).astype(np.int64).astype(np.uint64)
    bits = ids * np.uint64(GOLDEN) ^ plies * np.uint64(0xD6E8FEB86659FD93) ^ ending << np.uint64(40)
    bits = (bits ^ bits >> np.uint64(32)) * np.uint64(0xBF58476D1CE4E5B9)
    tally.digest += int((bits ^ bits >> np.uint64(29)).sum() & np.uint64(MASK))


def sign_scores(rewards):
    """100, 50 or 0 by the sign of what each player got."""
    return (50 + 50 * jnp.sign(rewards)).astype(jnp.int32)


__all__ = ["LaneGame", "Refused", "Rules", "jax", "jnp", "np", "sign_scores"]
