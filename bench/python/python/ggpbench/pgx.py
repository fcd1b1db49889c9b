"""A batch of positions with the names that Pgx gives things, for programs written for it.

>>> import ggpbench.pgx
>>> env = ggpbench.pgx.make("connect-4-6x7", batch_size=128)
>>> state = env.init(seed=0)
>>> while not (state.terminated | state.truncated).all():
...     state = env.step(state, env.random_actions())
>>> state.rewards.shape
(128, 2)

Unlike there, a step writes into the arrays of the state before: keep copies of what you want to
keep. Rewards are those of the last step, and a finished position stays as it is, without rewards,
unless ``auto_reset`` is given. Observations are planes by kind and site, in games of full
information the same for both players unless ``turned`` is given, else of who chooses; actions that
are not legal raise ``ValueError``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggpbench import _native

__all__ = ["Env", "State", "make"]


@dataclass
class State:
    """The observations of ``n`` positions. All but ``rewards``, ``terminated`` and ``truncated`` are
    views of memory that the next step writes into."""

    #: ``(n,)`` int8: who chooses, or -1
    current_player: NDArray[np.int8]
    #: ``(n, kinds, sites)`` uint8
    observation: NDArray[np.uint8]
    #: ``(n, players)`` float32: 1 for a win, 0 for a draw, -1 for a loss in the step that ended the game
    rewards: NDArray[np.float32]
    #: ``(n,)`` bool: over by the rules (or left undefined by them)
    terminated: NDArray[np.bool_]
    #: ``(n,)`` bool: given up at the ply cap
    truncated: NDArray[np.bool_]
    #: ``(n, num_actions)`` bool
    legal_action_mask: NDArray[np.bool_]


class Env:
    """Positions of one game that are stepped together."""

    def __init__(
        self,
        game: _native.Game,
        batch_size: int,
        threads: int = 1,
        auto_reset: bool = False,
        turned: bool = False,
    ) -> None:
        self.game = game
        self.batch_size = batch_size
        self._threads = threads
        self._auto_reset = auto_reset
        self._turned = turned
        self._batch: _native.Batch | None = None

    @property
    def num_players(self) -> int:
        """Number of players."""
        return self.game.players

    @property
    def num_actions(self) -> int:
        """Number of actions, legal or not."""
        return self.game.num_actions or 0

    @property
    def observation_shape(self) -> tuple[int, int]:
        """``(kinds, sites)``."""
        return len(self.game.kinds or ()), len(self.game.sites or ())

    def init(self, seed: int = 0) -> State:
        """Starts all positions."""
        self._batch = self.game.batch(
            self.batch_size,
            seed=seed,
            threads=self._threads,
            auto_reset=self._auto_reset,
            turned=self._turned,
        )
        return self._state(self._batch, np.zeros(self.batch_size, bool))

    def step(self, state: State, actions: NDArray[np.int32]) -> State:
        """Plays ``actions``, ``(n,)`` int32, and gives the state after them. ``state`` has to be the last
        one, whose arrays are written into."""
        batch = self._started()
        if not np.shares_memory(state.observation, batch.planes):
            raise ValueError("this is not the state of the last step: a batch has only one")
        went_on = batch.turns >= 0
        batch.step(actions)
        return self._state(batch, went_on)

    def random_actions(self) -> NDArray[np.int32]:
        """A legal action for each position, ``(n,)``."""
        return self._started().random_actions()

    def _started(self) -> _native.Batch:
        if self._batch is None:
            raise ValueError("call init first")
        return self._batch

    def _state(self, batch: _native.Batch, went_on: NDArray[np.bool_]) -> State:
        over = batch.progress == 1
        rewards = batch.scores.astype(np.float32)
        rewards *= 0.02
        # Scores are 0 but where the last step ended a game.
        rewards -= (over & went_on)[:, None]
        return State(
            current_player=batch.turns,
            observation=batch.planes,
            rewards=rewards,
            terminated=over | (batch.progress == 3),
            truncated=(batch.progress == 2) | (batch.progress == 4),
            legal_action_mask=batch.mask,
        )


def make(
    target: str,
    batch_size: int,
    threads: int = 1,
    auto_reset: bool = False,
    turned: bool = False,
    **load: Any,
) -> Env:
    """Loads a game (with the arguments of :func:`ggpbench.load`) and makes an environment of it.
    With ``turned`` observations and actions are those of whoever chooses, as in Pgx; see
    :meth:`ggpbench.Game.batch`."""
    game = _native.load(target, **load).coded()
    return Env(game, batch_size, threads, auto_reset, turned)
