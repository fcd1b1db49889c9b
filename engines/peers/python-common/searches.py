"""Searches by `mctx`, for peers whose games are functions on arrays: DeepMind's tree search on JAX, which
its users call with environments like these. Where they ask a network what a leaf is worth, and which actions
are likely, there is a random playout here, and all actions are as likely.
"""

import functools
import random

import mctx
from lanes import LaneGame, draw, fmix, jax, jnp, np, select, streams
from protocol import Tally, stream

#: Searches side by side.
TREES = 32


class SearchGame(LaneGame):
    """A game of full information without chance, with searches."""

    searches = (
        "searches by mctx (PUCT, one random playout a leaf), which does not tell how long they are, from the "
        "start and from positions of random games"
    )

    def prepare(self, simulations):
        """Compiles searches of so many simulations, so that it counts as compile time."""
        keys = jnp.zeros((TREES, 2), jnp.uint32)
        body = jax.vmap(functools.partial(self.searched, simulations), in_axes=(0, None))
        self.program = jax.jit(body).lower(keys, jnp.int32(1)).compile()

    def search(self, seed, first, count, cap, _via, _simulations):
        """Searches in the place of playouts: how much each pays is the mean of its simulations."""
        tally = Tally()
        cap = np.int32(min(cap, 2**31 - 1))
        for at in range(first, first + count, TREES):
            part = min(TREES, first + count - at)
            keys = np.zeros((TREES, 2), np.uint32)
            keys[:part] = streams(seed, at, part)
            values, movers = (np.asarray(column) for column in self.program(keys, cap))
            for lane in range(part):
                draws = random.Random(stream(seed, at + lane))
                mean = int(50 + 50 * float(values[lane]) + draws.random())
                own = (mean, 100 - mean)
                tally.add(at + lane, 0, own if movers[lane] == 0 else own[::-1])
        return tally

    # ---- What JAX compiles. ----

    def searched(self, simulations, key, cap):
        """The value of a root by search, for who moves there, and who that is. `mctx` takes one key for all
        trees that it grows at once; here each has its own, whatever trees are grown beside it."""
        keys = key[None]
        root = self.roots(keys)
        mask = jax.vmap(self.rules.mask)(root)
        policy = mctx.muzero_policy(
            params=cap,
            rng_key=key,
            root=mctx.RootFnOutput(
                prior_logits=self.logits(mask), value=jnp.zeros(1), embedding=(root, keys)
            ),
            recurrent_fn=self.simulated,
            num_simulations=simulations,
            invalid_actions=~mask,
            dirichlet_fraction=0.0,
        )
        return policy.search_tree.summary().value[0], jax.vmap(self.rules.turn)(root)[0]

    @staticmethod
    def logits(mask):
        """All legal actions are as likely."""
        return jnp.where(mask, 0.0, jnp.finfo(jnp.float32).min)

    def simulated(self, cap, _, action, embedding):
        """A step of the tree, and a playout from where it leads."""
        rules = self.rules
        before, keys = embedding
        was_over, mover = jax.vmap(rules.over)(before), jax.vmap(rules.turn)(before)
        state = self.vstep(before, action)
        over, turn = jax.vmap(rules.over)(state), jax.vmap(rules.turn)(state)
        keys = jnp.stack([fmix(keys[:, 0] ^ action.astype(jnp.uint32)), fmix(keys[:, 1] + 1)], axis=1)
        rewards = jnp.where(over & ~was_over, self.signs(state, mover), 0.0)
        output = mctx.RecurrentFnOutput(
            reward=rewards,
            discount=jnp.where(over, 0.0, jnp.where(turn == mover, 1.0, -1.0)),
            prior_logits=self.logits(jax.vmap(rules.mask)(state)),
            value=jnp.where(over, 0.0, self.playout(state, keys, turn, cap)),
        )
        return output, (state, keys)

    def signs(self, state, players):
        """What states that are over pay these players: 1, 0 or -1."""
        scores = jax.vmap(self.rules.scores)(state)
        return jnp.take_along_axis(scores, players[:, None], axis=1)[:, 0] / 50.0 - 1.0

    def playout(self, state, keys, players, cap):
        """What playouts from these states pay these players; nothing where they are cut."""
        over = jax.vmap(self.rules.over)

        def goes_on(carry):
            state, turn = carry
            return (~over(state)).any() & (turn < cap)

        def ply(carry):
            state, turn = carry
            mask = jax.vmap(self.rules.mask)(state)
            turns = jnp.full(len(keys), turn, jnp.uint32)
            after = self.vstep(state, draw(keys, turns, mask))
            return select(over(state), state, after), turn + 1

        state, _ = jax.lax.while_loop(goes_on, ply, (state, jnp.int32(0)))
        return jnp.where(over(state), self.signs(state, players), 0.0)

    def roots(self, keys):
        """For half of the lanes the start, else a position of a random game in which somebody has a choice,
        each being as likely."""
        begin = self.begin(keys)
        alive = (keys[:, 0] & 1) == 1

        def goes_on(carry):
            return carry[2].any()

        def ply(carry):
            state, root, alive, seen, turn = carry
            mask, forced, _ = self.view(state)
            turns = jnp.full(len(keys), turn, jnp.uint32)
            state = self.vstep(state, draw(keys, turns, mask))
            mask, forced, over = self.view(state)
            alive = alive & ~over
            seen = seen + (alive & ~forced)
            drawn = fmix(keys[:, 1] ^ fmix(turns + 1)) % seen
            root = select(alive & ~forced & (drawn == 0), state, root)
            return state, root, alive, seen, turn + 1

        seen = jnp.ones(len(keys), jnp.uint32)
        return jax.lax.while_loop(goes_on, ply, (begin, begin, alive, seen, jnp.uint32(0)))[1]


__all__ = ["SearchGame"]
